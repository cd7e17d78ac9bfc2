// The three sizes of a matrix product.
#pragma once

namespace nibble {

/// [m,k] times [k,n] gives [m,n].
struct MatmulShape {
  int m;  ///< rows of A and of C
  int n;  ///< columns of B and of C
  int k;  ///< the dimension summed over
};

}  // namespace nibble
