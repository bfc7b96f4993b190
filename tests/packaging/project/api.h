#pragma once
#define API __attribute__((visibility("default")))
