// marks.csv: what people gave for the parts of a mark that no check judges. Rows are added and
// never changed; of the same person and part the last one counts, so that those before it are its
// history.
//
//     who,lab,part,points,by,at,why
//     s1001,03_symmetric,report,17,M. C.,2026-10-20T08:00:00Z,two tables without units
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "course/course.hpp"

namespace nibble::course {

/// One row as it was written, by whoever it was.
struct ManualRow {
  std::string who, lab, part, points, by, at, why;
  std::string where{};  ///< "marks.csv, row 3", for whoever has to mend it; empty: it was typed
};

/// Whose and what, by the course. Throws std::invalid_argument, one line with the remedy: for
/// somebody who is nobody, a lab without such a part, points that it does not have, and a row that
/// does not say by whom, when and why. A lab's only part need not be named.
std::pair<ManualKey, ManualPoints> manual_points_of(const lab::Kit& kit, const Course& course,
                                                    const ManualRow& row);

/// Of all of them; of the same part of a person the last.
std::map<ManualKey, ManualPoints> read_manual_points(const lab::Kit& kit, const Course& course,
                                                     const std::vector<ManualRow>& rows);

/// Those of the course's file; none where there is no file. Throws for a text that is no such
/// table.
std::vector<ManualRow> read_manual_rows(const Course& course);

/// What somebody hands over for many people at once: a table with `student_id` (or `who`),
/// `points`, `why`, and `part` where the lab has several. Whoever has no points in it is passed
/// over.
std::vector<ManualRow> rows_for(std::string_view table, const std::string& name,
                                const ManualRow& common);

/// Adds rows to the course's file, all or none of them. Throws what manual_points_of throws.
void add_manual_rows(const lab::Kit& kit, const Course& course, const std::vector<ManualRow>& rows);

}  // namespace nibble::course
