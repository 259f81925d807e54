//===- PrimitiveCases.cpp - Cases of every primitive ----------------------===//

#include "test/Gradient/Case.h"

using namespace mlir;
using namespace dpl;
using namespace dpl::test;

using Cases = std::vector<Case>;

#define BUILD [=](OpBuilder & b, Location loc, ValueRange v)->Value

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

template <typename Op> static void unary(Cases &cases, Values values) {
  for (Shape shape : {Shape{}, Shape{1}, Shape{2, 3}})
    cases.push_back({Op::getOperationName().str(),
                     "Rank" + std::to_string(shape.size()),
                     {{shape, values}},
                     BUILD { return Op::create(b, loc, v[0]);
}
});
}

template <typename Op>
static void binary(Cases &cases, Values lhs = Values::Any,
                   Values rhs = Values::Any) {
  for (Shape shape : {Shape{}, Shape{1}, Shape{2, 3}})
    cases.push_back({Op::getOperationName().str(),
                     "Rank" + std::to_string(shape.size()),
                     {{shape, lhs}, {shape, rhs}},
                     BUILD { return Op::create(b, loc, v[0], v[1]);
}
});
  cases.push_back({Op::getOperationName().str(), "OfItself", {{{3}, lhs}},
                   BUILD { return Op::create(b, loc, v[0], v[0]);
  }
  });
  }

  static void elementwise(Cases &cases) {
    binary<AddOp>(cases);
    binary<SubOp>(cases);
    binary<MulOp>(cases);
    binary<DivOp>(cases, Values::Any, Values::Positive);
    binary<PowOp>(cases, Values::Positive, Values::Any);
    for (Shape shape : {Shape{}, Shape{2, 3}})
    cases.push_back({"dpl.max", "Rank" + std::to_string(shape.size()), {{shape}, {shape}},
                     BUILD { return MaxOp::create(b, loc, v[0], v[1]);
  }
  });
  unary<ExpOp>(cases, Values::Any);
  unary<LogOp>(cases, Values::Positive);
  unary<SqrtOp>(cases, Values::Positive);
  unary<TanhOp>(cases, Values::Any);
  unary<ErfOp>(cases, Values::Any);
  unary<SinOp>(cases, Values::Any);
  unary<AbsOp>(cases, Values::Any);
  cases.push_back({"dpl.select", "Rank2", {{{2, 3}, Values::Condition}, {{2, 3}}, {{2, 3}}},
                   BUILD { return SelectOp::create(b, loc, v[0], v[1], v[2]);
  }
  });
  cases.push_back({"dpl.compare", "Less", {{{2, 3}}, {{2, 3}}},
                   BUILD { return CompareOp::create(b, loc, Predicate::lt, v[0], v[1]);
  }
  });
  cases.push_back({"dpl.cast", "WiderAndBack", {{{2, 3}}}, BUILD {
                     Value wide = CastOp::create(b, loc, v[0], b.getF64Type());
                     return CastOp::create(b, loc, wide, b.getF32Type());
  }
  });
  cases.push_back({"dpl.cast", "ThroughInteger", {{{3}, Values::Index, 3}, {{3}}}, BUILD {
                     Value i = CastOp::create(b, loc, v[0], b.getF32Type());
                     return MulOp::create(b, loc, i, v[1]);
  }
  });
  }

  //===----------------------------------------------------------------------===//
  // Shape
  //===----------------------------------------------------------------------===//

  static void broadcasts(Cases &cases) {
    auto add = [&](std::string what, Shape x, Shape shape, Shape axes) {
    cases.push_back({"dpl.broadcast", what, {{x}},
                     BUILD { return BroadcastOp::create(b, loc, v[0], shape, axes);
    }
  });
  }
  ;
  add("OfScalar", {}, {2, 3}, {});
  add("AlongFirst", {2}, {2, 3}, {0});
  add("AlongLast", {3}, {2, 3}, {1});
  add("Between", {2, 4}, {2, 3, 4}, {0, 2});
  add("OfSizeOne", {1}, {1, 3}, {0});
  add("NothingNew", {2, 3}, {2, 3}, {0, 1});
  }

  static void rearrangements(Cases &cases) {
    auto reshape = [&](std::string what, Shape x, Shape shape) {
    cases.push_back({"dpl.reshape", what, {{x}},
                     BUILD { return ReshapeOp::create(b, loc, v[0], shape);
    }
  });
  }
  ;
  reshape("Flatten", {2, 3}, {6});
  reshape("AddOnes", {3}, {1, 3, 1});
  reshape("ToScalar", {1, 1}, {});
  auto transpose = [&](std::string what, Shape x, Shape permutation) {
    cases.push_back({"dpl.transpose", what, {{x}},
                     BUILD { return TransposeOp::create(b, loc, v[0], permutation);
  }
  });
  }
  ;
  transpose("Swap", {2, 3}, {1, 0});
  transpose("Rotate", {2, 3, 4}, {2, 0, 1});
  transpose("Identity", {2, 1}, {0, 1});
  auto reverse = [&](std::string what, Shape x, Shape axes) {
    cases.push_back({"dpl.reverse", what, {{x}},
                     BUILD { return ReverseOp::create(b, loc, v[0], axes);
  }
  });
  }
  ;
  reverse("First", {3, 2}, {0});
  reverse("Both", {3, 2}, {0, 1});
  reverse("None", {3}, {});
  reverse("SizeOne", {1, 2}, {0});
  cases.push_back({"dpl.stop_gradient", "Rank2", {{{2, 3}}},
                   BUILD { return StopGradientOp::create(b, loc, v[0]);
  }
  });
  }

  static void slicesAndPads(Cases &cases) {
    auto slice = [&](std::string what, Shape x, Shape start, Shape size,
                     Shape step) {
    cases.push_back({"dpl.slice", what, {{x}}, BUILD {
                       return SliceOp::create(b, loc, v[0], start, size, step);
    }
  });
  }
  ;
  slice("Whole", {3}, {0}, {3}, {1});
  slice("Steps", {7, 4}, {1, 0}, {3, 2}, {2, 3});
  slice("One", {5}, {4}, {1}, {9});
  auto pad = [&](std::string what, Shape x, Shape low, Shape high,
                 Shape interior, double value = 0) {
    cases.push_back({"dpl.pad", what, {{x}}, BUILD {
                       return PadOp::create(b, loc, v[0], low, high, interior, APFloat(value));
  }
  });
  }
  ;
  pad("Around", {2, 3}, {1, 0}, {2, 1}, {0, 0});
  pad("Value", {2}, {1}, {1}, {1}, -2.5);
  pad("Interior", {3, 2}, {0, 1}, {0, 0}, {2, 1});
  pad("Cut", {5, 4}, {-1, 0}, {-2, -1}, {0, 0});
  pad("CutInterior", {4}, {-1}, {-2}, {2});
  pad("CutAll", {2}, {-3}, {4}, {0});
  pad("CutAllBehind", {2}, {5}, {-3}, {1});
  pad("SizeOne", {1}, {2}, {1}, {3});
  }

  //===----------------------------------------------------------------------===//
  // Reductions, contractions, indexing
  //===----------------------------------------------------------------------===//

  static void reductions(Cases &cases) {
    for (ReduceKind kind : {ReduceKind::sum, ReduceKind::max}) {
      std::string name = kind == ReduceKind::sum ? "Sum" : "Max";
      auto add = [&](std::string what, Shape x, Shape axes) {
      cases.push_back({"dpl.reduce", name + what, {{x}},
                       BUILD { return ReduceOp::create(b, loc, kind, v[0], axes);
      }
    });
  };
  add("Rows", {2, 3}, {1});
  add("Columns", {2, 3}, {0});
  add("All", {2, 3, 2}, {0, 1, 2});
  add("None", {2}, {});
  add("SizeOne", {1, 2}, {0});
  }
  cases.push_back({"dpl.argmax", "Rows", {{{2, 3}}},
                   BUILD { return ArgmaxOp::create(b, loc, v[0], 1);
  }
  });
  }

  static void contractions(Cases &cases) {
    auto add = [&](std::string what, Shape l, Shape r, Shape ll, Shape rl,
                   Shape out) {
    cases.push_back({"dpl.contract", what, {{l}, {r}}, BUILD {
                       return ContractOp::create(b, loc, v[0], v[1], ll, rl, out);
    }
  });
  }
  ;
  add("Matrices", {2, 3}, {3, 4}, {0, 1}, {1, 2}, {0, 2});
  add("Transposed", {2, 3}, {4, 3}, {0, 1}, {2, 1}, {2, 0});
  add("Batched", {2, 3, 4}, {2, 4}, {7, 3, 5}, {7, 5}, {7, 3});
  add("Outer", {2}, {3}, {0}, {1}, {0, 1});
  add("Inner", {3}, {3}, {0}, {0}, {});
  add("Scalars", {}, {}, {}, {}, {});
  add("SummedAlone", {2, 3}, {2, 4}, {0, 1}, {0, 2}, {0});
  add("OnlyOne", {1, 1}, {1}, {0, 1}, {1}, {0});
  cases.push_back({"dpl.batch_contract", "Outer", {{{2}}, {{3}}}, BUILD {
                     return BatchContractOp::create(b, loc, v[0], v[1], Shape{0}, Shape{1},
                                                    Shape{1, 0});
  }
  , {3}
  });
  }

  static void indexing(Cases &cases) {
    auto add = [&](std::string what, Shape x, Shape indices, int64_t axis) {
      int64_t n = x[axis];
    cases.push_back({"dpl.take", what, {{x}, {indices, Values::Index, n}},
                     BUILD { return TakeOp::create(b, loc, v[0], v[1], axis);
    }
  });
    cases.push_back({"dpl.scatter_add", what, {{indices}, {indices, Values::Index, n}},
                     BUILD { return ScatterAddOp::create(b, loc, v[0], v[1], axis, n);
    }
    });
    }
    ;
    add("First", {4, 3}, {3}, 0);
    add("Middle", {2, 4, 3}, {2, 3}, 1);
    add("Last", {2, 4}, {2}, 1);
    add("Scalar", {5}, {}, 0);
    add("SizeOne", {1, 2}, {2}, 0);
    }

    //===----------------------------------------------------------------------===//
    // Windows, batch, constants
    //===----------------------------------------------------------------------===//

    static void windows(Cases &cases) {
      for (bool last : {false, true}) {
        Window w = Window::simple({3, 2});
        w.stride = {2, 1};
        w.padLow = {1, 0};
        w.padHigh = {0, 1};
        w.channelsLast = last;
        std::string name = last ? "ChannelsLast" : "ChannelsFirst";
        Shape x = last ? Shape{5, 4, 2} : Shape{2, 5, 4};
        Shape y = last ? Shape{2, 4, 3} : Shape{3, 2, 4};
        Shape pooled = last ? Shape{2, 4, 2} : Shape{2, 2, 4};
        Shape f = last ? Shape{3, 2, 2, 3} : Shape{3, 2, 3, 2};
    cases.push_back({"dpl.conv", name, {{x}, {f}},
                     BUILD { return ConvOp::create(b, loc, v[0], v[1], w);
      }
    });
    cases.push_back({"dpl.conv_filter", name, {{x}, {y}},
                     BUILD { return ConvFilterOp::create(b, loc, v[0], v[1], w);
    }
    });
    for (ReduceKind kind : {ReduceKind::sum, ReduceKind::max})
      cases.push_back({"dpl.pool", (kind == ReduceKind::sum ? "Sum" : "Max") + name, {{x}},
                       BUILD { return PoolOp::create(b, loc, kind, v[0], w);
    }
    });
    cases.push_back({"dpl.pool_max_grad", name, {{x}, {pooled}}, BUILD {
                       Value y = PoolOp::create(b, loc, ReduceKind::max, v[0], w);
                       if (isPerSample(v[1].getType()) && !isPerSample(y.getType()))
                         y = BatchSpreadOp::create(b, loc, y);
                       return PoolMaxGradOp::create(b, loc, v[0], y, v[1], w);
    }
    });
    }
    }

    // Groups of several channels in and out, of one in, of one out, and of one
    // each; the filter's gradient, too.
    static void groups(Cases &cases) {
      for (bool last : {false, true})
        for (auto [in, out] :
             {std::pair<int64_t, int64_t>{2, 3}, {1, 2}, {2, 1}, {1, 1}}) {
          Window w = Window::simple({2, 3});
          w.groups = 2;
          w.stride = {1, 2};
          w.padLow = {1, 0};
          w.channelsLast = last;
          std::string name = (last ? "GroupsLast" : "Groups") +
                             std::to_string(in) + "To" + std::to_string(out);
          Shape x = last ? Shape{3, 5, 2 * in} : Shape{2 * in, 3, 5};
          Shape y = last ? Shape{3, 2, 2 * out} : Shape{2 * out, 3, 2};
          Shape f = last ? Shape{2, 3, in, 2 * out} : Shape{2 * out, in, 2, 3};
    cases.push_back({"dpl.conv", name, {{x}, {f}},
                     BUILD { return ConvOp::create(b, loc, v[0], v[1], w);
        }
    });
    cases.push_back({"dpl.conv_filter", name, {{x}, {y}},
                     BUILD { return ConvFilterOp::create(b, loc, v[0], v[1], w);
    }
    });
    }
    }

    static void joins(Cases &cases) {
      auto add = [&](std::string what, Shape a, Shape c, int64_t axis) {
    cases.push_back({"dpl.concat", what, {{a}, {c}},
                     BUILD { return ConcatOp::create(b, loc, ValueRange{v[0], v[1]}, axis);
      }
    });
    }
    ;
    add("First", {2, 3}, {1, 3}, 0);
    add("Middle", {2, 1, 2}, {2, 3, 2}, 1);
    add("Last", {2, 3}, {2, 2}, 1);
      cases.push_back({"dpl.concat", "Itself", {{{2}}},
                       BUILD { return ConcatOp::create(b, loc, ValueRange{v[0], v[0], v[0]}, 0);
      }
      });
      cases.push_back({"dpl.concat", "Alone", {{{2}}},
                       BUILD { return ConcatOp::create(b, loc, ValueRange{v[0]}, 0);
      }
      });
      }

      static void batchAndConstants(Cases &cases) {
  cases.push_back({"dpl.batch_sum", "Rank2", {{{2, 3}}},
                   BUILD { return BatchSumOp::create(b, loc, v[0]);
      }
      });
  cases.push_back({"dpl.batch_spread", "Rank2", {{{2, 3}}},
                   BUILD { return BatchSpreadOp::create(b, loc, v[0]);
  }
  , {0}
  });
  cases.push_back({"dpl.batch_count", "Mean", {{{}}}, BUILD {
                     auto scalar = tensorType({}, b.getF32Type(), false);
                     Value n = BatchCountOp::create(b, loc, scalar);
                     return DivOp::create(b, loc, BatchSumOp::create(b, loc, v[0]), n);
  }
  });
  cases.push_back({"dpl.constant", "Times", {{{2}}}, BUILD {
                     auto type = tensorType({2}, b.getF32Type(), false);
                     Value c = ConstantOp::create(
                         b, loc, DenseElementsAttr::get(type, ArrayRef<float>{2.f, -3.f}));
                     return MulOp::create(b, loc, v[0], c);
  }
  });
  for (RandomKind kind : {RandomKind::uniform, RandomKind::normal})
    cases.push_back({"dpl.random", "Times" + stringifyRandomKind(kind).str(), {{{2, 3}}}, BUILD {
                       auto i32 = tensorType({}, b.getI32Type(), false);
                       Value key0 = RandomKeyOp::create(b, loc, i32, "path", 0);
                       Value key1 = RandomKeyOp::create(b, loc, i32, "path", 1);
                       Value sample = SampleIndexOp::create(
                           b, loc, tensorType({}, b.getI64Type(), true));
                       Value r = RandomOp::create(b, loc, tensorType({2, 3}, b.getF32Type(), true),
                                                  kind, key0, key1, sample);
                       return MulOp::create(b, loc, v[0], r);
  }
  });
  cases.push_back({"dpl.iota", "Times", {{{2, 3}}}, BUILD {
                     auto type = tensorType({2, 3}, b.getI32Type(), false);
                     Value i = IotaOp::create(b, loc, type, 1);
                     return MulOp::create(b, loc, v[0],
                                          CastOp::create(b, loc, i, b.getF32Type()));
  }
  });
  }

  const Cases &dpl::test::primitiveCases() {
    static const Cases all = [] {
      Cases cases;
      elementwise(cases);
      broadcasts(cases);
      rearrangements(cases);
      slicesAndPads(cases);
      reductions(cases);
      contractions(cases);
      indexing(cases);
      windows(cases);
      groups(cases);
      joins(cases);
      batchAndConstants(cases);
      return cases;
    }();
    return all;
  }
