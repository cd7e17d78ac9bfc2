// A text holds a part of it, or does not: what most tests of screens, pages and files ask.
#pragma once

#include <gtest/gtest.h>

#include <string>

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_HOLDS_NO(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (text)
