// Rooms, floors and circles out of the rows of layers.txt; paths and functions out of backticks.
#include "proofs/map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "files/files.hpp"
#include "proofs/course.hpp"
#include "proofs/includes.hpp"
#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "<!-- rooms: drawn from grader/layers.txt -->\n";
constexpr std::string_view kEnd = "<!-- /rooms -->\n";

struct Room {
  std::string place, sentence;
  std::set<std::string> on{};  ///< that all its files stand on
  std::map<std::set<std::string>, std::vector<std::string>> alone{};  ///< what single files add
};

/// A row of a single file is an exception of the room that the file is in.
bool is_file(const std::string& place) { return fs::path(place).has_extension(); }

/// The rooms that a row names; a contract stands in labs.
std::set<std::string> rooms_in(const Layers& layers, const std::string& place,
                               const std::string& room) {
  std::set<std::string> found;
  for (const std::string& one : layers.at(place)) {
    const std::string other = one == "contract" ? "labs" : one;
    if (other != room && layers.contains(other)) found.insert(other);
  }
  return found;
}

std::vector<Room> rooms_of(std::string_view table) {
  const Layers layers = parse_layers(table);
  std::vector<Room> rooms;
  std::string sentence;
  int number = 0;
  for (const std::string& line : text::lines_of(table)) {
    ++number;
    std::string place;
    std::istringstream(line) >> place;
    if (place.starts_with('#')) {
      sentence += (sentence.empty() ? "" : " ") + text::trim(line.substr(line.find('#') + 1));
      continue;
    }
    if (!place.empty() && !is_file(place)) {
      if (sentence.empty()) throw text::FormatError(number, "no sentence stands above " + place);
      rooms.push_back({place, sentence, rooms_in(layers, place, place)});
    }
    sentence.clear();
  }
  for (const auto& [file, row] : layers) {
    if (!is_file(file)) continue;
    const auto room = std::ranges::find(rooms, place_of(file), &Room::place);
    if (room == rooms.end()) continue;
    std::set<std::string> more = rooms_in(layers, file, room->place);
    for (const std::string& known : room->on) more.erase(known);
    if (!more.empty()) room->alone[more].push_back(fs::path(file).filename().string());
  }
  return rooms;
}

/// room -> all that it stands on, and what that stands on, and so on.
using Reach = std::map<std::string, std::set<std::string>>;

Reach reach_of(const std::vector<Room>& rooms) {
  Reach reach;
  for (const Room& room : rooms) {
    reach[room.place] = room.on;
    for (const auto& [more, files] : room.alone) reach[room.place].insert(more.begin(), more.end());
  }
  for (std::size_t round = 0; round < rooms.size(); ++round) {
    for (auto& [place, all] : reach) {
      for (const std::string& one : std::set(all)) all.insert(reach[one].begin(), reach[one].end());
    }
  }
  return reach;
}

/// One floor above the highest that it stands on.
std::size_t floor_of(const std::string& place, const Reach& reach) {
  std::size_t floor = 0;
  for (const std::string& below : reach.at(place)) {
    floor = std::max(floor, floor_of(below, reach) + 1);
  }
  return floor;
}

/// A house in which two rooms stand on each other has no floors.
void must_hold_no_circle(const Reach& reach) {
  for (const auto& [place, all] : reach) {
    if (!all.contains(place)) continue;
    std::string circle;
    for (const std::string& other : all) {
      if (reach.at(other).contains(place)) circle += (circle.empty() ? "" : " <-> ") + other;
    }
    throw text::FormatError(1, "rooms that stand on each other: " + circle);
  }
}

std::string short_name(const std::string& place) {
  return place.starts_with("grader/") ? place.substr(7) : place;
}

std::string names(const std::set<std::string>& places) {
  std::vector<std::string> all;
  for (const std::string& place : places) all.push_back(short_name(place));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string stands_on(const Room& room) {
  std::string text = room.on.empty() ? "nothing" : names(room.on);
  for (const auto& [more, files] : room.alone) {
    text += fmt::format("; `{}` alone: {}", fmt::join(files, "`, `"), names(more));
  }
  return text;
}

std::string drawing_of(const std::vector<Room>& rooms, const Reach& reach) {
  std::map<std::size_t, std::vector<std::string>, std::greater<>> floors;
  for (const Room& room : rooms) {
    floors[floor_of(room.place, reach)].push_back(short_name(room.place));
  }
  std::string text = "```\n";
  for (const auto& [floor, on_it] : floors) {
    text += fmt::format("{:>2}   {}\n", floor, fmt::join(on_it, "   "));
  }
  return text + "```\n";
}

/// A path of the project, and not a command, an ending or a pattern.
bool is_path(const std::string& word) {
  static const std::regex path(R"([A-Za-z0-9_.][A-Za-z0-9_./-]*/[A-Za-z0-9_./-]*)");
  return std::regex_match(word, path) && word.find("NN_") == word.npos;
}

/// The word a function is declared or defined with, whatever class it is of.
bool holds_function(const std::string& text, const std::string& name) {
  return std::regex_search(text, std::regex("\\b" + name + "\\s*\\("));
}

}  // namespace

std::string draw_rooms(std::string_view layers) {
  const std::vector<Room> rooms = rooms_of(layers);
  const Reach reach = reach_of(rooms);
  must_hold_no_circle(reach);
  std::string text = drawing_of(rooms, reach) +
                     "\nNo room stands on itself by way of another.\n"
                     "\n| room | what it is | stands on |\n| --- | --- | --- |\n";
  for (const Room& room : rooms) {
    text += fmt::format("| {} | {} | {} |\n", room.place, room.sentence, stands_on(room));
  }
  return text;
}

std::string with_rooms(std::string_view page, std::string_view layers) {
  const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
  if (begin == page.npos || end == page.npos || end < begin) {
    throw text::FormatError(1, "the marks of the rooms are not there");
  }
  const std::size_t drawn = begin + kBegin.size();
  return std::string(page.substr(0, drawn)) + draw_rooms(layers) + std::string(page.substr(end));
}

std::vector<std::string> what_is_not_there(std::string_view page, const fs::path& top) {
  static const std::regex quoted("`([^`]+)`"), function(R"((?:\w+::)*(\w+)\(\))");
  std::vector<std::string> missing;
  std::string file;
  int number = 0;
  for (const std::string& line : text::lines_of(page)) {
    ++number;
    const auto tell = [&](const std::string& what) {
      missing.push_back("line " + std::to_string(number) + ": " + what);
    };
    for (std::sregex_iterator word(line.begin(), line.end(), quoted), none; word != none; ++word) {
      const std::string text = (*word)[1];
      std::smatch name;
      if (is_path(text)) {
        file = text;
        if (!fs::exists(top / file)) tell("there is no " + file);
      } else if (std::regex_match(text, name, function)) {
        const bool readable = fs::is_regular_file(top / file);
        if (!readable || !holds_function(files::read_file(top / file), name[1])) {
          tell("no " + text + " in " + file);
        }
      }
    }
  }
  return missing;
}

namespace {
/// Says so, too.
void write_if_new(const fs::path& file, const std::string& before, const std::string& now) {
  if (now != before) files::write_atomically(file, now);
  fmt::print("{} is {}\n", file.filename().string(), now == before ? "up to date" : "drawn anew");
}
}  // namespace

int draw_maps(const fs::path& top) {
  const fs::path page = top / "docs/design/map.md", course = top / "docs/course.svg";
  const std::string before = files::read_file(page);
  write_if_new(page, before, with_rooms(before, files::read_file(top / "grader/layers.txt")));
  write_if_new(course, fs::exists(course) ? files::read_file(course) : "",
               draw_course(read_course(top)));
  return 0;
}

}  // namespace nibble::proofs
