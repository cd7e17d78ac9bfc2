// results.json as JUnit XML, for what reads that: Jenkins, GitLab, editors.
// It follows junit-10.xsd.
#pragma once

#include <string>
#include <string_view>

#include "report/results.hpp"

namespace nibble::report {

/// One document; one testsuite per lab.
std::string junit_xml(const std::vector<Result>& labs, const std::string& host);

/// Text for an element or an attribute: escaped, and free of what XML 1.0 forbids.
std::string xml_text(std::string_view text);

}  // namespace nibble::report
