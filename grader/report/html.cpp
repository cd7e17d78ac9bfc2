// The frame of a page and its styles, tables and badges, and the one function that escapes.
#include "report/html.hpp"

#include <fmt/format.h>

#include <utility>

#include "report/junit.hpp"
#include "report/results.hpp"

namespace nibble::report {
namespace {

/// Contrast with the ground is at least 4.5 for every colour that carries words, by light and dark.
constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --ground: #fdfcfa; --card: #ffffff; --ink: #1d1f24; --soft: #565b66;
  --line: #d9d6cf; --accent: #0b57a4; --good: #1b6e3c; --part: #8a5300; --bad: #ab1f24; --idle: #5d6470;
  --good-fill: #2e8b57; --part-fill: #d98e1f; --bad-fill: #cf4a4a; --idle-fill: #d3d5da;
  --cell: #eceef1; --wrong: #fbd5d3; --wanted: #d5ecdc; --shade: #1d1f2459; }
@media screen and (prefers-color-scheme: dark) { :root { --ground: #15171c; --card: #1e2128; --ink: #eceae4;
  --soft: #b0b4be; --line: #3a3f4a; --accent: #8fc1ff; --good: #7fd3a0; --part: #f0b55b; --bad: #ff9a94;
  --idle: #b0b4be; --good-fill: #3f9e69; --part-fill: #c9861f; --bad-fill: #d45a58; --idle-fill: #454b57;
  --cell: #2b303a; --wrong: #6b2326; --wanted: #1d4a31; --shade: #000000a6; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
header, nav, main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.25rem; margin: 0 0 .8rem; }
h3 { font-size: 1.02rem; margin: 1.6rem 0 .5rem; }
p { margin: .5rem 0; max-width: 70ch; }
.soft, caption, figcaption, footer { color: var(--soft); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; list-style: none; padding: 0; margin: 1rem 0; }
nav a { display: inline-block; padding: .25rem 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: 1.2rem; margin: 0 0 1.2rem; }
.course { font-size: 1.1rem; margin: 0 0 .2rem; }
.up { margin: 1rem 0 0; max-width: none; text-align: right; font-size: .85rem; }
.up a, .code { display: inline-block; padding: .2rem 0; }
.code { margin: -.2rem 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.75rem, 1fr)); gap: .8rem; margin: 1rem 0; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem .7rem; }
.figures dt { color: var(--soft); font-size: .85rem; }
.figures dd { margin: 0; font-size: 1.2rem; font-weight: 650; font-variant-numeric: tabular-nums; }
details { margin: .8rem 0; }
summary { cursor: pointer; padding: .3rem 0; color: var(--accent); }
details:target::details-content { content-visibility: visible; height: auto; }
.scroll { overflow-x: auto; margin: .6rem 0; background:
    linear-gradient(to right, var(--card) 30%, transparent) 0 0 / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--card) 30%, transparent) 100% 0 / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) 0 0 / .9rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) 100% 0 / .9rem 100% no-repeat scroll; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
caption { text-align: left; padding: .2rem 0 .5rem; font-size: .85rem; }
caption span { display: inline-block; position: sticky; left: 0; max-width: min(60ch, calc(100vw - 5rem)); }
th, td { text-align: left; vertical-align: top; padding: .4rem .7rem .4rem 0; border-top: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { border-top: 0; color: var(--soft); font-weight: 600; vertical-align: bottom; }
tbody th, tfoot th { font-weight: 600; overflow-wrap: break-word; min-width: 9rem; max-width: 18rem; }
tfoot td, tfoot th { border-top: 2px solid var(--line); }
th .soft, td .soft { display: block; font-weight: 400; font-size: .82rem; }
td { font-variant-numeric: tabular-nums; white-space: nowrap; }
td, th.number { text-align: right; }
td.word, td.sentence { text-align: left; white-space: normal; }
td .soft { white-space: normal; }
td.sentence { min-width: 8rem; overflow-wrap: anywhere; }
@media screen and (min-width: 44.01rem) {
  tbody th, tfoot th, thead th:first-child { position: sticky; left: 0; background: var(--card); } }
@media screen and (max-width: 44rem) {
  section { padding: 1rem; }
  table, caption, tbody, tfoot, tr, th, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { border-top: 1px solid var(--line); padding: .6rem 0; }
  tbody th, tfoot th { max-width: none; }
  th, td, tfoot td, tfoot th { border: 0; padding: .1rem 0; text-align: left; }
  td[data-label]::before { content: attr(data-label); color: var(--soft); margin-right: .5rem; }
  tr { display: flex; flex-wrap: wrap; gap: 0 1.1rem; }
  tbody th, tfoot th, td.sentence { flex: 1 0 100%; }
  td .soft { display: inline; margin-left: .3rem; } td svg + .soft { margin: 0; }
  td:empty { display: none; } }
figure { margin: 1rem 0; }
figcaption { font-size: .85rem; max-width: 60ch; }
svg { display: block; max-width: 34rem; width: 100%; height: auto; }
td svg { min-width: 7rem; max-width: 14rem; margin-top: .3rem; }
figure img { max-width: 100%; height: auto; background: #fff; border-radius: .4rem; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); } svg .axis { stroke: var(--soft); } svg .grid { stroke: var(--line); }
svg .good { fill: var(--good-fill); } svg .part { fill: var(--part-fill); }
svg .bad { fill: var(--bad-fill); } svg .idle { fill: var(--idle-fill); }
svg .accent { fill: var(--accent); } svg .got { fill: var(--bad); } svg .want { fill: var(--good); }
svg .right { fill: var(--cell); } svg .wrong { fill: var(--wrong); stroke: var(--bad); stroke-width: 1.5; }
svg .wanted { fill: var(--wanted); stroke: var(--good); stroke-width: 1.5; }
svg .mark { stroke: var(--ink); stroke-width: 2; }
.badge { font-weight: 600; }
.badge.good { color: var(--good); } .badge.part { color: var(--part); }
.badge.bad { color: var(--bad); } .badge.idle { color: var(--idle); }
code, pre { font: .88em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; margin: .4rem 0; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .4rem; }
.command span { display: inline-block; max-width: 100%; }
.two { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
footer { padding-bottom: 2rem; font-size: .85rem; }
@media print { :root { --ground: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000;
  --good: #14532d; --part: #6b4000; --bad: #8f1318; --idle: #444; }
  nav, .skip, .up { display: none; } details:not(.screen)::details-content { content-visibility: visible; height: auto; }
  summary { color: var(--soft); list-style: none; } summary::-webkit-details-marker { display: none; }
  html { font-size: 10pt; } header, main, footer { max-width: none; padding: 0; } section { border: 0; padding: 0 0 1rem; }
  svg { max-width: 22rem; } tfoot { display: table-row-group; }
  tr, figure, .figures, .case, #codes details { break-inside: avoid; }
  h2, h3, summary, caption { break-after: avoid; } tbody tr:first-child { break-before: avoid; } .scroll { overflow: visible; background: none; }
  .wide { page: wide; } .wide table { font-size: 8pt; } .wide tbody th { min-width: 6rem; }
  .wide th, .wide td { padding-right: .4rem; } .wide .soft { font-size: 6.5pt; overflow-wrap: anywhere; }
  a { text-decoration: none; } figure + details { display: none; }
  svg rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
@page wide { size: landscape; }
)css";

struct Badge {
  std::string_view status, mark, word, css;
};

constexpr Badge kBadges[] = {
    {"pass", "✓", "passed", "good"},       {"part", "◐", "in part", "part"},
    {"fail", "✗", "failed", "bad"},        {"crash", "✗", "crashed", "bad"},
    {"timeout", "✗", "too slow", "bad"},   {"rule", "✗", "broke a rule", "bad"},
    {"odd", "✗", "not believable", "bad"}, {"error", "!", "fault of the kit", "idle"},
    {"skip", "–", "not run", "idle"},      {"done", "✓", "done", "good"},
    {"open", "◐", "begun", "part"},        {"untouched", "–", "not begun", "idle"},
};

/// Of a column's cells, as an attribute. Numbers, of which a page may have ten thousand, are what a
/// cell is without one.
std::string_view class_of(ColumnKind kind) {
  return kind == ColumnKind::kWord       ? " class=\"word\""
         : kind == ColumnKind::kSentence ? " class=\"sentence\""
                                         : "";
}

std::string contents_of(const std::vector<std::string>& links) {
  std::string items;
  for (const std::string& link : links) items += "<li>" + link + "</li>\n";
  return "<nav aria-label=\"Contents\">\n<ul>\n" + items + "</ul>\n</nav>\n";
}

}  // namespace

std::string html(std::string_view text) {
  std::string safe = xml_text(text);
  for (std::size_t at = 0; (at = safe.find('\'', at)) != std::string::npos;) {
    safe.replace(at, 1, "&#39;");
  }
  return safe;
}

Page::Page(std::string_view title, std::string_view lead) : title_(title), lead_(lead) {}

void Page::section(std::string_view id, std::string_view heading, std::string_view body) {
  parts_.push_back({std::string(id), std::string(heading), std::string(body)});
}

std::string Page::str() const {
  std::vector<std::string> links;
  std::string sections;
  for (const Part& part : parts_) {
    links.push_back(fmt::format("<a href=\"#{}\">{}</a>", html(part.id), html(part.heading)));
    sections += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n{2}"
        "<p class=\"up\"><a href=\"#top\">↑ to the top</a></p>\n</section>\n",
        html(part.id), html(part.heading), part.body);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src "
      "data:\"/>\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header "
      "id=\"top\">\n<h1>{0}</h1>\n{2}"
      "</header>\n{3}<main id=\"main\">\n{4}</main>\n<footer><p>Written by Nibble. This file is "
      "complete: it fetches nothing and runs nothing.</p></footer>\n</body>\n</html>\n",
      html(title_), kStyle, lead_, contents_of(links), sections);
}

Table::Table(std::string_view caption, std::vector<TableColumn> columns)
    : caption_(caption), columns_(std::move(columns)) {
  for (const TableColumn& column : columns_) {
    head_ += fmt::format("<th role=\"columnheader\" scope=\"col\"{}>{}</th>",
                         column.kind == ColumnKind::kNumber ? " class=\"number\"" : "",
                         html(column.name));
  }
}

std::string Table::row_of(const std::vector<std::string>& cells) const {
  std::string row = "<tr role=\"row\">";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const TableColumn& column = columns_.at(i);
    if (i == 0) {
      row += "<th role=\"rowheader\" scope=\"row\">" + cells[i] + "</th>";
      continue;
    }
    const bool is_told = column.kind != ColumnKind::kSentence;
    row +=
        fmt::format("<td role=\"cell\"{}{}>{}</td>", class_of(column.kind),
                    is_told ? fmt::format(" data-label=\"{}\"", html(column.name)) : "", cells[i]);
  }
  return row + "</tr>\n";
}

void Table::row(const std::vector<std::string>& cells) {
  rows_ += row_of(cells);
  ++size_;
}

void Table::last_row(const std::vector<std::string>& cells) { foot_ += row_of(cells); }

std::string Table::str() const {
  if (size_ == 0) return "";
  constexpr std::size_t kWide = 9;  // more columns than a sheet of paper is wide enough for
  return fmt::format(
      "<div class=\"scroll{4}\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">\n"
      "<table role=\"table\">\n<caption><span>{0}</span></caption>\n"
      "<thead role=\"rowgroup\"><tr role=\"row\">{1}</tr></thead>\n"
      "<tbody role=\"rowgroup\">\n{2}</tbody>\n{3}</table>\n</div>\n",
      html(caption_), head_, rows_,
      foot_.empty() ? "" : "<tfoot role=\"rowgroup\">\n" + foot_ + "</tfoot>\n",
      columns_.size() > kWide ? " wide" : "");
}

std::string folded(std::string_view line, std::string_view body, bool printed) {
  return fmt::format("<details{}>\n<summary>{}</summary>\n{}</details>\n",
                     printed ? "" : " class=\"screen\"", html(line), body);
}

std::string status_badge(std::string_view status) {
  for (const Badge& look : kBadges) {
    if (look.status != status) continue;
    return fmt::format(
        "<span class=\"badge {}\"><span aria-hidden=\"true\">{}\u00A0</span>{}</span>", look.css,
        look.mark, look.word);
  }
  return html(status);
}

std::string figure(std::string_view svg, std::string_view caption) {
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", svg, html(caption));
}

std::string key_figures(const std::vector<std::pair<std::string, std::string>>& figures) {
  std::string items;
  for (const auto& [what, how_much] : figures) {
    items += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html(what), html(how_much));
  }
  return "<dl class=\"figures\">\n" + items + "</dl>\n";
}

}  // namespace nibble::report
