// The folder that a submission has among the results. It is called as the submission is, unless
// that could be a file of ours: then "_" stands before it.
// A name that begins with "_" gets another one.
#pragma once

#include <string>
#include <string_view>

namespace nibble::files {

/// "kim" -> "kim", "report.html" -> "_report.html", ".batch" -> "_.batch", "_kim" -> "__kim".
std::string submission_folder(std::string_view id);

/// The way back.
std::string submission_in(std::string_view folder);

}  // namespace nibble::files
