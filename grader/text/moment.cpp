// Calendars by std::chrono alone: no time zone of the machine takes part.
#include "text/moment.hpp"

#include <array>
#include <cstdio>

namespace nibble::text {
namespace {

using namespace std::chrono;

/// The fields of a moment, as many hours ahead of UTC as it was taken.
struct Calendar {
  year_month_day day;
  hh_mm_ss<seconds> time;

  explicit Calendar(Moment moment) : day(floor<days>(moment)), time(moment - floor<days>(moment)) {}
};

constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// The digits of `text` from `at` on; -1 where one is none.
int number_at(std::string_view text, std::size_t at, std::size_t digits) {
  int number = 0;
  for (const char c : text.substr(at, digits)) {
    if (c < '0' || c > '9') return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

/// "Z", "+02:00", "-05:30".
std::optional<minutes> offset_of(std::string_view text) {
  if (text == "Z") return minutes(0);
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return {};
  const int hour = number_at(text, 1, 2), minute = number_at(text, 4, 2);
  if (hour < 0 || minute < 0 || hour > 14 || minute > 59) return {};
  return (text[0] == '-' ? -1 : 1) * minutes(hour * 60 + minute);
}

template <typename... Values>
std::string printed(const char* format, Values... values) {
  std::array<char, 64> line{};
  std::snprintf(line.data(), line.size(), format, values...);
  return line.data();
}

}  // namespace

std::string stamp(Moment moment) {
  const Calendar at(moment);
  return printed("%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(at.day.year()),
                 static_cast<unsigned>(at.day.month()), static_cast<unsigned>(at.day.day()),
                 static_cast<int>(at.time.hours().count()),
                 static_cast<int>(at.time.minutes().count()),
                 static_cast<int>(at.time.seconds().count()));
}

std::optional<Moment> moment_of(std::string_view stamp) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (stamp.size() <= kForm.size()) return {};
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] != '0' && kForm[i] != stamp[i]) return {};
  }
  const auto number = [&](std::size_t at, std::size_t digits) {
    return number_at(stamp, at, digits);
  };
  const year_month_day day{year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                           std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  const int hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  const std::optional<minutes> offset = offset_of(stamp.substr(kForm.size()));
  const bool is_time = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0;
  if (!day.ok() || !is_time || second > 60 || !offset) return {};
  return sys_days(day) + hours(hour) + minutes(minute) + seconds(second) - *offset;
}

std::string shown(Moment moment, minutes offset) {
  constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  const Moment there = moment + offset;
  const Calendar at(there);
  return printed(
      "%s %u %s %02d:%02d", kDays.at(weekday(floor<days>(there)).c_encoding()),
      static_cast<unsigned>(at.day.day()), kMonths.at(static_cast<unsigned>(at.day.month()) - 1),
      static_cast<int>(at.time.hours().count()), static_cast<int>(at.time.minutes().count()));
}

std::string dated(std::string_view stamp) {
  const std::optional<Moment> moment = moment_of(stamp);
  if (!moment) return std::string(stamp);
  const Calendar at(*moment);
  return printed("%u %s %d, %02d:%02d UTC", static_cast<unsigned>(at.day.day()),
                 kMonths.at(static_cast<unsigned>(at.day.month()) - 1),
                 static_cast<int>(at.day.year()), static_cast<int>(at.time.hours().count()),
                 static_cast<int>(at.time.minutes().count()));
}

std::string shown(seconds length) {
  const auto count = [](auto part) { return static_cast<int>(part.count()); };
  const auto whole_days = floor<days>(length);
  const auto whole_hours = floor<hours>(length - whole_days);
  const auto rest = floor<minutes>(length - whole_days - whole_hours);
  if (whole_days.count() > 0 && whole_hours.count() == 0) return printed("%d d", count(whole_days));
  if (whole_days.count() > 0) return printed("%d d %d h", count(whole_days), count(whole_hours));
  if (whole_hours.count() > 0 && rest.count() == 0) return printed("%d h", count(whole_hours));
  if (whole_hours.count() > 0) return printed("%d h %d min", count(whole_hours), count(rest));
  return printed("%d min", count(rest));
}

}  // namespace nibble::text
