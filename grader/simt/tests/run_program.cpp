// Starts the program, reads its findings and counts line by
// line, and asks addr2line where they are.
#include "run_program.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace nibble::simt {
namespace {

std::string read_all(std::FILE* pipe) {
  std::string text;
  std::array<char, 4096> some;
  for (std::size_t n; (n = std::fread(some.data(), 1, some.size(), pipe)) > 0;) {
    text.append(some.data(), n);
  }
  return text;
}

std::string output_of(const std::string& command, int* exit_code = nullptr) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text = read_all(pipe);
  const int status = pclose(pipe);
  if (exit_code != nullptr) *exit_code = status;
  return text;
}

/// "bugs.cu:12 (discriminator 3)" is line 12; a header is line 0.
int line_of_answer(const std::string& answer) {
  const std::size_t at = answer.find(".cu:");
  return at == std::string::npos ? 0 : std::atoi(answer.c_str() + at + 4);
}

class Lines {
 public:
  explicit Lines(std::string program) : program_(std::move(program)) {}

  int operator()(std::uint64_t offset) {
    if (offset == 0) return 0;
    static std::map<std::pair<std::string, std::uint64_t>, int> known;
    const auto [at, fresh] = known.try_emplace({program_, offset}, 0);
    if (fresh) {
      std::ostringstream command;
      command << "addr2line -s -e " << program_ << " 0x" << std::hex << offset - 1;
      at->second = line_of_answer(output_of(command.str()));
    }
    return at->second;
  }

 private:
  std::string program_;
};

/// "a1b2:12:7": an offset, and a line when the compiler has told it.
int line_of_place(Lines& lines, const std::string& place) {
  const std::size_t first = place.find(':'), second = place.find(':', first + 1);
  const int told = std::stoi(place.substr(first + 1, second - first - 1));
  return told != 0 ? told : lines(std::stoull(place, nullptr, 16));
}

std::vector<std::string> texts_between_bars(const std::string& line) {
  std::vector<std::string> texts;
  std::size_t at = line.find('|');
  for (std::size_t next; (next = line.find('|', at + 1)) != std::string::npos; at = next) {
    texts.push_back(line.substr(at + 1, next - at - 1));
  }
  texts.resize(3);
  return texts;
}

Found read_finding(const std::string& line, Lines& lines) {
  std::istringstream words(line.substr(line.find(' ')));
  int kind = 0;
  std::string place, other, times, caller[kCallers], who;
  words >> kind >> place >> other >> times;
  for (std::string& c : caller) words >> c;
  words >> who;
  const auto texts = texts_between_bars(line);
  Found found{static_cast<Kind>(kind),
              line_of_place(lines, place),
              line_of_place(lines, other),
              texts[0],
              texts[1],
              texts[2],
              who};
  for (const std::string& c : caller) {
    if (found.line == 0) found.line = lines(std::stoull(c, nullptr, 16));
  }
  return found;
}

Counted read_traffic(const std::string& line, Lines& lines) {
  unsigned long long offset, requests, lanes, sectors, useful, waves, ideal;
  int space, use;
  unsigned bytes;
  std::sscanf(line.c_str(),
              "traffic %llx %d %d %u req=%llu lanes=%llu sectors=%llu useful=%llu waves=%llu "
              "ideal=%llu",
              &offset, &space, &use, &bytes, &requests, &lanes, &sectors, &useful, &waves, &ideal);
  static const char* const kUses[] = {"load", "store", "atomic"};
  std::ostringstream text;
  text << (space == 0 ? "global " : "shared ") << kUses[use] << ' ' << bytes << ": " << requests
       << " requests, " << lanes << " lanes, ";
  if (space == 0) {
    text << sectors << " sectors, " << useful << " bytes";
  } else {
    text << waves << " wavefronts, ideally " << ideal;
  }
  return {lines(offset), text.str()};
}

}  // namespace

Outcome run_program(const std::string& program, const std::string& arguments) {
  Outcome outcome{};
  outcome.all = output_of(program + ' ' + arguments + " 2>&1", &outcome.exit_code);
  Lines lines(program);
  std::istringstream text(outcome.all);
  for (std::string line; std::getline(text, line);) {
    if (line == "values right") outcome.values_right = true;
    if (line.starts_with("finding")) outcome.found.push_back(read_finding(line, lines));
    if (line.starts_with("traffic")) outcome.counted.push_back(read_traffic(line, lines));
    if (line.starts_with("totals")) outcome.totals = line;
    if (line.starts_with("steps")) outcome.steps = line;
  }
  return outcome;
}

std::vector<int> lines_that_say(const std::string& file, const std::string& name) {
  std::ifstream in(file);
  std::vector<int> lines;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find('[' + name + ']') != std::string::npos ||
        line.find('[' + name + ": ") != std::string::npos) {
      lines.push_back(number);
    }
  }
  return lines;
}

}  // namespace nibble::simt
