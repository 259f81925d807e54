//===- Png.cpp - A canvas as a PNG file -----------------------------------===//

#include "runtime/Train/Plot/Canvas.h"

#include <png.h>

#include <cstring>

namespace dpl::rt {

Result<std::vector<std::byte>> Canvas::png() const {
  png_image image;
  std::memset(&image, 0, sizeof(image));
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(columns);
  image.height = static_cast<png_uint_32>(rows);
  image.format = PNG_FORMAT_RGB;
  auto fail = [&] {
    return Status::error(Exit::Runtime, "libpng cannot write a picture: " +
                                            std::string(image.message));
  };
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> bytes(size);
  if (!png_image_write_to_memory(&image, bytes.data(), &size,
                                 /*convert_to_8_bit=*/0, pixels.data(),
                                 /*row_stride=*/0, nullptr))
    return fail();
  bytes.resize(size);
  return bytes;
}

} // namespace dpl::rt
