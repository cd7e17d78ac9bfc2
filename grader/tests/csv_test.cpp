// Tables as spreadsheets read them, and people whose names try them.
#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "export/composed.hpp"
#include "export/csv.hpp"
#include "export/roster.hpp"

namespace nibble::gradebook {
namespace {

using Strings = std::vector<std::string>;

Strings values_of(const Row& row) {
  Strings values;
  for (const Cell& cell : row) values.push_back(cell.value);
  return values;
}

/// A second reader, written from RFC 4180 alone: one character after the other, three states.
std::vector<Strings> read_again(const std::string& text) {
  std::vector<Strings> rows(1, Strings(1));
  bool quoted = false, was_quote = false;
  for (const char c : text) {
    if (quoted && !was_quote) {
      if (c == '"') {
        was_quote = true;
      } else {
        rows.back().back() += c;
      }
      continue;
    }
    if (was_quote && c == '"') {
      rows.back().back() += '"';
      was_quote = false;
      continue;
    }
    if (was_quote) quoted = was_quote = false;
    if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\n') {
      rows.emplace_back(1);
    } else {
      rows.back().back() += c;
    }
  }
  if (rows.back() == Strings{""}) rows.pop_back();
  return rows;
}

TEST(Csv, QuotesCommasAndLineEnds) {
  const auto rows = read_csv("a,\"b, \"\"c\"\"\",\r\n\"two\nlines\",x\n");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(values_of(rows[0]), (Strings{"a", "b, \"c\"", ""}));
  EXPECT_EQ(values_of(rows[1]), (Strings{"two\nlines", "x"}));
  EXPECT_TRUE(read_csv("").empty());
  EXPECT_EQ(values_of(read_csv("\xEF\xBB\xBFStudent;ID", ';')[0]), (Strings{"Student", "ID"}));
}

TEST(Csv, BrokenQuotesNameTheirLine) {
  for (const auto& [text, line] : {std::pair{"a\n\"b", "line 2"}, {"a\nb\n\"c\"d\n", "line 3"}}) {
    try {
      read_csv(text);
      FAIL() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(line)) << error.what();
    }
  }
}

TEST(Csv, CellsKnowTheirBytes) {
  const std::string text = "x,\"a\"\"b\",z\r\n1,,3\r\n";
  const auto rows = read_csv(text);
  EXPECT_EQ(text.substr(rows[0][1].begin, rows[0][1].end - rows[0][1].begin), "\"a\"\"b\"");
  Filling filling(text);
  filling.put(rows[0][1], "Q");
  filling.put(rows[1][1], "2");
  EXPECT_EQ(filling.str(), "x,Q,z\r\n1,2,3\r\n");
}

TEST(Csv, FormulasAreWords) {
  EXPECT_EQ(csv_cell("=SUM(A1)"), "'=SUM(A1)");
  EXPECT_EQ(csv_cell("@cmd"), "'@cmd");
  EXPECT_EQ(csv_cell("+1+1"), "'+1+1");
  EXPECT_EQ(csv_cell("-inf"), "'-inf");
  EXPECT_EQ(csv_cell("\tx"), "' x");
  EXPECT_EQ(csv_cell("\r=1"), "'?=1");
  EXPECT_EQ(csv_cell("=a,b"), "\"'=a,b\"");
  EXPECT_EQ(csv_cell("-12.5"), "-12.5");
  EXPECT_EQ(csv_cell("100"), "100");
}

TEST(Csv, NamesOfPeople) {
  EXPECT_EQ(csv_cell("O'Hara, \"Kit\""), "\"O'Hara, \"\"Kit\"\"\"");
  EXPECT_EQ(csv_cell("Ada"), "Ada");
  EXPECT_EQ(csv_cell("two\nlines"), "two lines");
  EXPECT_EQ(csv_cell(" blank "), "\" blank \"");
}

/// As read_csv() has names.
std::vector<Strings> composed(std::vector<Strings> rows) {
  for (Strings& row : rows) {
    for (std::string& cell : row) cell = gradebook::composed(cell);
  }
  return rows;
}

/// Whatever bytes a name is made of: one row stays one row, its cells stay apart, two readers
/// agree, and no cell is a formula.
TEST(Csv, AnyBytesStayInTheirCell) {
  std::mt19937 random(20261001);
  const std::string nasty = "=+-@\t\r\n\",;'\\ \x1b[31m\x80\xff\xc3\xa9 a1";
  int rows_read = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Strings row(1 + random() % 5);
    for (std::string& cell : row) {
      for (std::size_t n = random() % 9; n > 0; --n) {
        cell += random() % 2 == 0 ? nasty[random() % nasty.size()] : static_cast<char>(random());
      }
    }
    const std::string line = csv_row(row);
    const auto read = read_csv(line);
    if (row.size() > 1 || !row[0].empty()) {
      ASSERT_EQ(read.size(), 1u) << line;
      ASSERT_EQ(read[0].size(), row.size()) << line;
      ASSERT_EQ(std::vector<Strings>{values_of(read[0])}, composed(read_again(line))) << line;
      ++rows_read;
    }
    for (const Cell& cell : read.empty() ? Row{} : read[0]) {
      ASSERT_TRUE(cell.value.empty() ||
                  std::string("=@\t\r").find(cell.value[0]) == std::string::npos)
          << cell.value;
    }
  }
  EXPECT_GT(rows_read, 1500);
}

TEST(Roster, ColumnsByNameInAnyOrder) {
  const auto people = read_roster(
      "email,student_id,last_name,first_name\nkit@example.edu,s1002,\"O'Hara, Jr.\",Kit\n\n");
  ASSERT_EQ(people.size(), 1u);
  EXPECT_EQ(people[0].id, "s1002");
  EXPECT_EQ(people[0].last_name, "O'Hara, Jr.");
  EXPECT_EQ(find_person(people, "s1002"), people.data());
  EXPECT_EQ(find_person(people, "s1"), nullptr);
}

TEST(Roster, MoodlesListOfParticipants) {
  const auto people = read_roster(
      "First name,Last name,ID number,Email "
      "address,Username\nAda,Lovelace,s1001,ada@example.edu,ada\n"
      "Kit,Hara,,kit@example.edu,kit\n");
  ASSERT_EQ(people.size(), 2u);
  EXPECT_EQ(people[0].id, "s1001");
  EXPECT_EQ(people[1].id, "kit");
}

TEST(Roster, CallsPeopleAsTheyHandedIn) {
  auto people = read_roster("username,idnumber\nu1,1\nu2,2\nu3,3\n2,4\n");
  call_as_handed_in(people, {{"u1", ""}, {"2", ""}, {"nobody", ""}});
  EXPECT_EQ(people[0].id, "u1") << "by the user name, though the ID number stands for it";
  EXPECT_EQ(people[0].listed_id(), "1");
  EXPECT_EQ(shown(people[0]), "1") << "as their course calls them";
  EXPECT_EQ(people[1].id, "2") << "as before";
  EXPECT_EQ(people[2].id, "3") << "handed in nothing";
  EXPECT_EQ(people[3].id, "4") << "2 is somebody else";
}

TEST(Roster, RefusesWhatNamesNobodyOrOnePersonTwice) {
  EXPECT_THROW(read_roster(""), std::invalid_argument);
  EXPECT_THROW(read_roster("student_id\n\n"), std::invalid_argument);
  EXPECT_THROW(read_roster("name\nAda\n"), std::invalid_argument);
  EXPECT_THROW(read_roster("student_id\ns1\ns1\n"), std::invalid_argument);
}

}  // namespace
}  // namespace nibble::gradebook
