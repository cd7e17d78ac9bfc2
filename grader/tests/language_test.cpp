// What the kit says, in another language: sentences with gaps, screens, pages, and streams.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "language/catalog.hpp"
#include "language/page_text.hpp"
#include "language/po_file.hpp"
#include "language/prose.hpp"
#include "language/screen_text.hpp"
#include "language/spoken.hpp"
#include "text/format_error.hpp"

namespace nibble::language {
namespace {

constexpr const char* kGerman = R"(# of a test
msgid ""
msgstr ""
"Language: de\n"

msgid "{} of {} elements of {} are wrong"
msgstr "{} von {} Elementen von {} sind falsch"

msgid "{} of {} elements of {} are wrong: {}"
msgstr "{} von {} Elementen von {} sind falsch: {}"

msgid "each is {} too small"
msgstr "jedes ist um {} zu klein"

msgid "want {} scales, got {}"
msgstr "{1} Skalen statt {0}"

msgid "ties go to the even neighbour"
msgstr "genau in der Mitte gewinnt der gerade Nachbar"

msgid "the contract says: {}"
msgstr "im Vertrag steht: {}"

msgid "{} more"
msgstr "{} weitere"

msgid "{{ and }} around {}"
msgstr "{{ und }} um {}"

msgid "your \"own\" words"
msgstr "deine \"eigenen\" Worte"

msgid "points"
msgstr "Punkte"

msgid "in it   {}, {} more"
msgstr "darin   {}, {} weitere"

msgid "{}: {}"
msgstr "{}: {}"

msgid "{}; {}"
msgstr "{}; {}"

msgid "{}. So {}"
msgstr "{}. Daher {}"

msgid "{} of {} elements of {}"
msgstr "{} von {} Elementen von {}"

msgid "{} of {}"
msgstr "{} von {}"

msgid "{} is empty"
msgstr "{} ist leer"
)";

Catalog german() { return Catalog::parse(kGerman, "de"); }

std::string said(std::string_view english) { return german().translate(english).text; }

TEST(Catalog, ASentenceKeepsItsValues) {
  EXPECT_EQ(said("2 of 4 elements of q are wrong"), "2 von 4 Elementen von q sind falsch");
  EXPECT_EQ(said("want 8 scales, got 4"), "4 Skalen statt 8");
}

TEST(Catalog, WhatStandsInAGapIsTranslatedToo) {
  EXPECT_EQ(said("2 of 4 elements of q are wrong: each is 1 too small"),
            "2 von 4 Elementen von q sind falsch: jedes ist um 1 zu klein");
  EXPECT_EQ(said("the contract says: ties go to the even neighbour"),
            "im Vertrag steht: genau in der Mitte gewinnt der gerade Nachbar");
}

TEST(Catalog, OfTwoThatFitTheOneWithMoreLettersIsMeant) {
  EXPECT_EQ(said("2 of 4 elements of q are wrong: 7"), "2 von 4 Elementen von q sind falsch: 7");
}

TEST(Catalog, AnEntryThatLeavesProseYieldsToOneThatDoesNot) {
  EXPECT_EQ(said("2 of 4 elements of q are wrong. So 3 more"),
            "2 von 4 Elementen von q sind falsch. Daher 3 weitere");
}

TEST(Catalog, AFrameOfAFewLettersTakesNoProseThatNobodyKnows) {
  EXPECT_EQ(said("3 of points"), "3 von Punkte");
  EXPECT_EQ(said("what becomes of two and a half"), "what becomes of two and a half");
}

TEST(Catalog, TextThatIsMadeToTakeLongStaysAsItIs) {
  std::string text = "a b";
  for (int i = 0; i < 300; ++i) text += "; a: b of c. So d is empty";
  EXPECT_EQ(said(text.substr(0, 1900)), text.substr(0, 1900));
  EXPECT_EQ(said(text), text);
}

TEST(Catalog, BracesAndQuotesCanBeShown) {
  EXPECT_EQ(said("{ and } around x"), "{ und } um x");
  EXPECT_EQ(said("your \"own\" words"), "deine \"eigenen\" Worte");
}

TEST(Catalog, WhatItDoesNotKnowStaysAndIsMissedIfItIsProse) {
  const Translation name = german().translate("labs/03_symmetric/symmetric.cpp:27");
  EXPECT_EQ(name.text, "labs/03_symmetric/symmetric.cpp:27");
  EXPECT_TRUE(name.missing.empty());
  const Translation prose = german().translate("the contract says: nobody wrote this");
  EXPECT_EQ(prose.text, "im Vertrag steht: nobody wrote this");
  EXPECT_EQ(prose.missing, std::vector<std::string>{"nobody wrote this"});
}

TEST(Catalog, AGapIsNeverEmpty) {
  EXPECT_EQ(said(" more"), " more");
  EXPECT_EQ(said("the contract says: "), "the contract says: ");
}

TEST(Catalog, EnglishChangesNothing) {
  EXPECT_TRUE(Catalog().is_english());
  EXPECT_EQ(Catalog().translate("points").text, "points");
}

std::string refused(const std::string& po) {
  try {
    Catalog::parse(po, "de");
  } catch (const text::FormatError& error) {
    return error.what();
  }
  return "taken";
}

TEST(Catalog, RefusesAFileThatIsNone) {
  EXPECT_EQ(refused("msgid \"a {}\"\nmsgstr \"b\"\n"),
            "line 1: the translation of \"a {}\" has other values than it");
  EXPECT_EQ(refused("msgid \"a {}\"\nmsgstr \"{1}\"\n"),
            "line 1: the translation of \"a {}\" has other values than it");
  EXPECT_EQ(refused("msgid \"a {}\"\nmsgstr \"{x}\"\n"),
            "line 1: a gap is {} or a number, and not {x}");
  EXPECT_EQ(refused("msgid \"a\"\n"), "line 1: the last msgid has no msgstr");
  EXPECT_EQ(refused("msgid \"a\n"), "line 1: a text stands between quotes");
  EXPECT_EQ(refused("msgctxt \"a\"\nmsgid \"a\"\nmsgstr \"b\"\n"),
            "line 1: an entry is a line `msgid \"…\"` and a line `msgstr \"…\"`");
  EXPECT_EQ(refused("msgstr \"a\"\n"),
            "line 1: an entry is a line `msgid \"…\"` and a line `msgstr \"…\"`");
}

TEST(PoFile, ATextMayGoOnOverLines) {
  const auto entries = read_po(
      "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\n#: a.cpp:3\nmsgid \"\"\n\"one \"\n\"two\"\n"
      "msgstr \"\"\n\"eins \"\n\"zwei\"\n");
  ASSERT_EQ(entries.size(), 1u) << "the header is none";
  EXPECT_EQ(entries[0].english, "one two");
  EXPECT_EQ(entries[0].translation, "eins zwei");
  EXPECT_EQ(entries[0].line, 6);
}

TEST(CatalogOf, IsTheOneThatIsNamed) {
  const files::ScratchFolder folder(std::filesystem::temp_directory_path());
  std::ofstream(folder.path() / "de.po") << kGerman;
  EXPECT_EQ(catalog_of(folder.path(), "de").language(), "de");
  EXPECT_TRUE(catalog_of(folder.path(), "en").is_english());
  EXPECT_TRUE(catalog_of(folder.path(), "").is_english());
  try {
    catalog_of(folder.path(), "xx");
    FAIL() << "no such language";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "there are no words for the language xx; there are: en, de");
  }
}

TEST(CatalogOf, TheReadersWordGoesBeforeTheCourses) {
  const files::ScratchFolder folder(std::filesystem::temp_directory_path());
  std::ofstream(folder.path() / "de.po") << kGerman;
  unsetenv("NIBBLE_LANGUAGE");
  EXPECT_TRUE(catalog_of_reader(folder.path()).is_english());
  std::ofstream(folder.path() / kOfCourse) << "de\n";
  EXPECT_EQ(catalog_of_reader(folder.path()).language(), "de");
  setenv("NIBBLE_LANGUAGE", "en", 1);
  EXPECT_TRUE(catalog_of_reader(folder.path()).is_english());
  unsetenv("NIBBLE_LANGUAGE");
}

std::string shown(std::string_view text) { return screen_text(german(), text).text; }

TEST(ScreenText, CellsAreTranslatedAndColumnsStay) {
  EXPECT_EQ(shown("  fail  3 more        0/6   points\n"), "  fail  3 weitere     0/6   Punkte\n");
  EXPECT_EQ(shown("points  7"), "Punkte  7") << "two blanks stay between what grew";
}

TEST(ScreenText, ALineWithColumnsMayBeOneSentence) {
  EXPECT_EQ(shown("in it   points, 3 more"), "darin   Punkte, 3 weitere");
  EXPECT_EQ(shown("points   x is empty"), "Punkte   x ist leer")
      << "a sentence without columns is a cell, and never the whole line";
}

TEST(ScreenText, QuotesKeepACellTogether) {
  EXPECT_EQ(shown("\"  a  b\" is empty   points"), "\"  a  b\" ist leer   Punkte");
  EXPECT_EQ(shown("a \" b  points"), "a \" b  Punkte") << "no quote comes back";
}

TEST(ScreenText, EveryLineIsASentenceOfItsOwn) {
  EXPECT_EQ(shown("        the contract says: ties go to the even neighbour\n\n  3 more\n"),
            "        im Vertrag steht: genau in der Mitte gewinnt der gerade Nachbar\n\n"
            "  3 weitere\n");
}

TEST(ScreenText, ColoursAndReturnsStayWhereTheyAre) {
  EXPECT_EQ(shown("\033[31m3 more\033[0m  points"), "\033[31m3 weitere\033[0m  Punkte");
  EXPECT_EQ(shown("\r\033[K3 more"), "\r\033[K3 weitere");
}

TEST(ScreenText, AStrayEscapeIsNoLoop) {
  EXPECT_EQ(shown("\033"), "\033");
  EXPECT_EQ(shown("points\033[31"), "Punkte\033[31");
}

std::string page(std::string_view html) { return page_text(german(), html).text; }

TEST(PageText, TextBetweenTagsIsTranslated) {
  EXPECT_EQ(page("<p>\n  3 more</p><td data-label=\"points\" class=\"points\">7</td>"),
            "<p>\n  3 weitere</p><td data-label=\"Punkte\" class=\"points\">7</td>");
  EXPECT_EQ(page("<p>your &quot;own&quot; words</p>"), "<p>deine &quot;eigenen&quot; Worte</p>");
}

TEST(PageText, CodeAndStylesStay) {
  for (const std::string text : {"<style>points</style>", "<code>points</code>",
                                 "<pre class=\"x\">points\n<b>x</b></pre>"}) {
    EXPECT_EQ(page(text), text);
  }
}

TEST(PageText, SaysItsLanguage) { EXPECT_EQ(page("<html lang=\"en\">"), "<html lang=\"de\">"); }

TEST(PageText, ATornPageEnds) {
  for (const std::string text : {"<p", "<", "<td alt=\"", "<code>x", "a<b"}) {
    EXPECT_EQ(page(text), text);
  }
}

TEST(Spoken, ALineIsTranslatedWhenItEnds) {
  std::ostringstream out;
  {
    const Catalog catalog = german();
    const Spoken spoken(out, catalog);
    out << 3 << " more";
    EXPECT_EQ(out.str(), "") << "more of the sentence may come";
    out << '\n' << "points";
    EXPECT_EQ(out.str(), "3 weitere\n");
    out.flush();
    EXPECT_EQ(out.str(), "3 weitere\nPunkte") << "somebody waits for it";
    out << "4 more";
  }
  EXPECT_EQ(out.str(), "3 weitere\nPunkte4 weitere");
  out << " points\n";
  EXPECT_EQ(out.str(), "3 weitere\nPunkte4 weitere points\n") << "English again";
}

TEST(Prose, IsTwoWordsBesideEachOther) {
  for (const char* text : {"a scale is wrong", "got what was there", "x, then sums."}) {
    EXPECT_TRUE(is_prose(text)) << text;
  }
  for (const char* text :
       {"", "x = [1, 2]", "kIncludeZero", "RoundsToNearest", "m x n x k = 1x1x1",
        "q[i] = round(x[i] / scale)", "0.5 points", "[1, nan, inf], x = inf, rate = 1"}) {
    EXPECT_FALSE(is_prose(text)) << text;
  }
}

}  // namespace
}  // namespace nibble::language
