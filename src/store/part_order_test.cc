#include "store/part_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace zhiwen {
namespace {

TEST(PartOrder, OrdersNamesAsPeopleDo) {
  // Each row is in its order.
  for (const std::vector<std::string>& wanted : std::vector<std::vector<std::string>>{
           {"第1章", "第2章", "第10章", "第11章", "第100章"},
           {"第001章", "第002章", "第010章"},
           {"第一章", "第二章", "第九章", "第十章", "第十二章", "第二十章", "第一百零三章",
            "第一千章", "第一万零一章"},
           {"第一卷/第２章", "第一卷/第１０章", "第二卷/第1章", "第十卷/第1章"},
           {"1", "2", "10", "21", "100"},
           {"卷二〇二三", "卷二〇二四"},
           {"", "a", "a1", "a1b", "b"},
           {"9", "18446744073709551615", "18446744073709551616"}}) {
    std::vector<std::string> names = wanted;
    std::mt19937 random(3);
    std::ranges::shuffle(names, random);
    std::ranges::sort(names, {}, PartOrder);
    EXPECT_EQ(names, wanted);
  }
}

TEST(PartOrder, IsTheSameForEveryFormOfANumber) {
  for (const std::string name : {"第012章", "第１２章", "第十二章", "第一十二章"}) {
    EXPECT_EQ(PartOrder(name), PartOrder("第12章")) << name;
  }
  EXPECT_EQ(PartOrder("二〇二四"), PartOrder("2024"));
  EXPECT_EQ(PartOrder("三万零五百"), PartOrder("30500"));
  EXPECT_EQ(PartOrder("0"), PartOrder("000"));
  EXPECT_NE(PartOrder("12章"), PartOrder("第12章"));
  EXPECT_NE(PartOrder("第1章 2"), PartOrder("第12章"));
}

TEST(PartOrder, TakesAnyBytes) {
  EXPECT_EQ(PartOrder("\xff\xfe"), "\xff\xfe");
  EXPECT_EQ(PartOrder(std::string(300, '7')).size(), 302U);
}

}  // namespace
}  // namespace zhiwen
