#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "simt/rewriter/refusals.hpp"

namespace nibble::simt {
namespace {

struct Unknown {
  std::string_view prefix, instead;
};

constexpr auto kHeaders = std::to_array<Unknown>({
    {"<iostream>", "print with std::printf, or std::fprintf to stderr"},
    {"<fstream>", "the kit passes what is to be read, and looks at what is returned"},
    {"<thread>", "streams are what runs beside each other"},
    {"<thrust/", "a kernel of your own is what the lab asks for"},
    {"<cub/", "a kernel of your own is what the lab asks for"},
    {"<cublas", "a kernel of your own is what the lab asks for"},
});

constexpr auto kUnknown = std::to_array<Unknown>({
    {"cudaGraph", "order the work in streams: graphs do not run here"},
    {"cudaStreamBeginCapture", "order the work in streams: graphs do not run here"},
    {"cudaStreamEndCapture", "order the work in streams: graphs do not run here"},
    {"cudaHostGetDevicePointer", "copy with cudaMemcpyAsync: no kernel reaches host memory here"},
    {"cudaLaunchKernelExC", "launch with <<< >>> or cudaLaunchKernelEx"},
    {"cudaMemPool", "cudaMallocAsync takes from the pool that is there"},
    {"cudaDeviceGetDefaultMemPool", "cudaMallocAsync takes from the pool that is there"},
    {"cudaMallocFromPoolAsync", "cudaMallocAsync takes from the pool that is there"},
    {"cudaTexture", "read device memory by a pointer: there are no textures here"},
    {"cudaCreateTexture", "read device memory by a pointer: there are no textures here"},
    {"cudaMallocArray", "take memory with cudaMalloc: there are no arrays for textures here"},
    {"cudaMalloc3D", "take memory with cudaMalloc, and count rows and layers yourself"},
    {"cudaMemcpy3D", "copy with cudaMemcpy2D, a layer at a time"},
    {"cudaMemcpyPeer", "copy with cudaMemcpy: there is one device"},
    {"cudaDeviceEnablePeerAccess", "there is one device, which reaches all of its memory"},
    {"cudaIpc", "one process has the device to itself"},
});

}  // namespace

void refuse_host_calls(const Tokens& tokens, std::vector<Complaint>& complaints) {
  for (int i = 0; i < tokens.size(); i++) {
    const std::string_view name = tokens[i].text;
    const bool is_header = tokens[i].kind == TokenKind::kHeaderName;
    if (!is_header && tokens[i].kind != TokenKind::kName) continue;
    const std::span<const Unknown> list = is_header ? std::span<const Unknown>(kHeaders) : kUnknown;
    const auto found = std::ranges::find_if(
        list, [&](const Unknown& unknown) { return name.starts_with(unknown.prefix); });
    if (found == list.end()) continue;
    complaints.push_back(tokens.complain(
        tokens[i],
        "`" + std::string(name) + "` is not known here: " + std::string(found->instead)));
  }
}

}  // namespace nibble::simt
