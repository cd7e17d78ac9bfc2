// What has been found so far. The first of each kind at each place is told, the rest is counted.
#pragma once

#include "nibble/simt/report.hpp"

namespace nibble::simt {

/// Begins a finding about the running thread, or counts one that is known and gives null. To be
/// filled in, then published.
EngineFinding* new_finding(Kind kind, const void* pc);
EngineFinding* new_finding(Kind kind, Place place);
void publish(EngineFinding* finding);

/// The sentence's end, as printf makes it.
void set_detail(EngineFinding& finding, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

Thread thread_named(unsigned linear, std::uint32_t block);

/// Two lanes of one warp need a __syncwarp where they are the only ones that meet; once two warps
/// meet, what is missing is a __syncthreads, for all of that kernel's findings.
Kind race_in_shared(bool same_warp);

extern Report* report;
void begin_report(Report* storage);

}  // namespace nibble::simt
