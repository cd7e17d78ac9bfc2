// Lab 34, write_varint: what is right, and what people write instead.
#pragma once

#include "onnx_export.hpp"

#include "checks/34_onnx_export/bytes.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_34_onnx_export {

using Varint = Exercise<&write_varint>;

inline const Varint varying{
    {"value"}, {"bytes"}, [](Expect& expect, const auto& in, const Bytes& right) {
      Bytes turned = right, without = right, cut = right, last = right;
      std::ranges::reverse(turned);
      for (std::uint8_t& byte : without) byte &= 127;
      for (std::uint8_t& byte : turned) byte &= 127;
      for (std::size_t i = 0; i + 1 < turned.size(); ++i) turned[i] |= 128;
      cut.resize(std::min<std::size_t>(cut.size(), 5));
      for (std::uint8_t& byte : last) byte ^= 128;
      Bytes plain, all = right;
      for (std::uint64_t left = in.a; left > 0; left >>= 8)
        plain.push_back(static_cast<std::uint8_t>(left));
      all.back() |= 128;
      const auto suspect = [&](const char* code, const Bytes& bytes, const char* words) {
        expect.suspect(code, "bytes", shown(bytes), words);
      };
      suspect("N-ORDER", turned, "the highest seven bits are first: it is the lowest");
      suspect("N-WIRE", without, "no byte says that another one follows");
      suspect("N-OVERFLOW", varint(static_cast<std::uint32_t>(in.a)),
              "a value is cut to 32 bits: it has 64");
      suspect("N-OVERFLOW", cut, "there are five bytes at most: 64 bits take ten");
      suspect("N-WIRE", last,
              "the last byte has its highest bit set, and the others have not: it is the other way "
              "round");
      suspect("N-WIRE", all, "the last byte says that another one follows");
      suspect("N-SIZE", all + Bytes{0},
              "a byte of no bits is at the end: it is as few bytes as hold the value");
      suspect("N-SIZE", in.a == 0 ? Bytes{} : Bytes{static_cast<std::uint8_t>(in.a)},
              "one byte is all there is: 128 needs two");
      suspect("N-WIRE", plain,
              "eight bits a byte: it is seven, and one that says whether more follow");

      suspect("N-WIRE", varint(in.a << 1 ^ -(in.a >> 63)),
              "that is zigzag, for a sint64: a varint is the bits as they are");
    }};

}  // namespace nibble::judge::lab_34_onnx_export
