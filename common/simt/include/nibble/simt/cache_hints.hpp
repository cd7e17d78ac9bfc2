// Loads and stores that say which cache is to keep the bytes: for the engine, which has none, plain
// ones. Two kinds of loads see what other blocks have just done.
#pragma once

#include <type_traits>

#include "nibble/simt/device.hpp"

// clang-format off
#define NIBBLE_SIMT_LOAD(NAME)                                  \
  template <class T>                                            \
  NIBBLE_SIMT_UNSEEN T NAME(const T* p) {                       \
    nibble::simt::touch(p, sizeof(T), false, NIBBLE_SIMT_PC);   \
    return *p;                                                  \
  }
NIBBLE_SIMT_LOAD(__ldg)
NIBBLE_SIMT_LOAD(__ldca)
NIBBLE_SIMT_LOAD(__ldcs)
NIBBLE_SIMT_LOAD(__ldlu)
#undef NIBBLE_SIMT_LOAD

#define NIBBLE_SIMT_LOAD(NAME)                                            \
  template <class T>                                                      \
  NIBBLE_SIMT_UNSEEN T NAME(const T* p) {                                 \
    nibble::simt::touch_past_caches(p, sizeof(T), NIBBLE_SIMT_PC);        \
    return *p;                                                            \
  }
NIBBLE_SIMT_LOAD(__ldcg)
NIBBLE_SIMT_LOAD(__ldcv)
#undef NIBBLE_SIMT_LOAD

#define NIBBLE_SIMT_STORE(NAME)                                 \
  template <class T>                                            \
  NIBBLE_SIMT_UNSEEN void NAME(T* p, std::type_identity_t<T> value) { \
    nibble::simt::touch(p, sizeof(T), true, NIBBLE_SIMT_PC);    \
    *p = value;                                                 \
  }
NIBBLE_SIMT_STORE(__stwb)
NIBBLE_SIMT_STORE(__stcg)
NIBBLE_SIMT_STORE(__stcs)
NIBBLE_SIMT_STORE(__stwt)
#undef NIBBLE_SIMT_STORE
// clang-format on
