// Makes a cubin that holds no code: the parts of one that the kit reads, for tests that shall not
// need nvcc.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "nibble/launch.hpp"

namespace nibble::gpu {

struct MadeKernel {
  std::string name;
  bool has_launch = true;
  Launch launch{};
};

/// Sections: nothing, names, symbols, .nv.constant3.
class MadeCubin {
 public:
  explicit MadeCubin(const std::vector<MadeKernel>& kernels, int sm = 80) {
    for (const MadeKernel& kernel : kernels) add(kernel);
    header_.e_ident[8] = 8;  // the kind of file that nvcc 13 writes
    header_.e_flags = static_cast<Elf64_Word>(sm) << 8;
  }

  std::vector<std::byte> bytes() const {
    std::vector<std::byte> image(sizeof header_);
    Elf64_Shdr names = append(image, ".strtab", names_.data(), names_.size());
    Elf64_Shdr symbols =
        append(image, ".symtab", symbols_.data(), symbols_.size() * sizeof(Elf64_Sym));
    Elf64_Shdr constants =
        append(image, ".nv.constant3", launches_.data(), launches_.size() * sizeof(Launch));
    names.sh_type = SHT_STRTAB;
    symbols.sh_type = SHT_SYMTAB;
    symbols.sh_link = 1;
    constants.sh_type = SHT_PROGBITS;
    Elf64_Ehdr header = header_;
    header.e_shoff = image.size();
    for (const Elf64_Shdr& section : {Elf64_Shdr{}, names, symbols, constants}) {
      const auto* const from = reinterpret_cast<const std::byte*>(&section);
      image.insert(image.end(), from, from + sizeof section);
    }
    std::memcpy(image.data(), &header, sizeof header);
    return image;
  }

  Elf64_Ehdr& header() { return header_; }
  std::vector<Elf64_Sym>& symbols() { return symbols_; }

 private:
  static Elf64_Ehdr usual_header() {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_machine = EM_CUDA;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 4;
    header.e_shstrndx = 1;
    return header;
  }

  Elf64_Word name(const std::string& text) {
    const auto at = static_cast<Elf64_Word>(names_.size());
    names_ += text;
    names_ += '\0';
    return at;
  }

  void add(const MadeKernel& kernel) {
    Elf64_Sym function{};
    function.st_name = name(kernel.name);
    function.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    function.st_other = 0x10;
    function.st_shndx = 3;
    symbols_.push_back(function);
    if (!kernel.has_launch) return;
    Elf64_Sym launch{};
    launch.st_name = name("nibble_launch_" + kernel.name);
    launch.st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT);
    launch.st_shndx = 3;
    launch.st_value = launches_.size() * sizeof(Launch);
    launch.st_size = sizeof(Launch);
    symbols_.push_back(launch);
    launches_.push_back(kernel.launch);
  }

  Elf64_Shdr append(std::vector<std::byte>& image, const char* section, const void* data,
                    std::size_t bytes) const {
    Elf64_Shdr header{};
    header.sh_name = static_cast<Elf64_Word>(names_.find(std::string(section) + '\0'));
    header.sh_offset = image.size();
    header.sh_size = bytes;
    const auto* const from = static_cast<const std::byte*>(data);
    image.insert(image.end(), from, from + bytes);
    return header;
  }

  Elf64_Ehdr header_ = usual_header();
  std::string names_ = std::string("\0.strtab\0.symtab\0.nv.constant3\0", 31);
  std::vector<Elf64_Sym> symbols_ = std::vector<Elf64_Sym>(1);
  std::vector<Launch> launches_;
};

}  // namespace nibble::gpu
