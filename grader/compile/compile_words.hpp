// What a compiler says of CUDA's rules, in the words of who learns them.
#pragma once

#include <string>
#include <string_view>

namespace nibble::compile {

/// The same lines; one of an array that is sized at run time says what to do instead. g++ before 14
/// warns of unset variables in its own headers of intrinsics, which a learner cannot mend: such a
/// warning is left out, with what belongs to it.
std::string compile_words(std::string_view compiler);

}  // namespace nibble::compile
