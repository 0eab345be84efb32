"""The arrays that cross the border to the kernel, by the type of their elements; shapes stand where they are used."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

U8: TypeAlias = NDArray[np.uint8]
U16: TypeAlias = NDArray[np.uint16]
U32: TypeAlias = NDArray[np.uint32]
U64: TypeAlias = NDArray[np.uint64]
I8: TypeAlias = NDArray[np.int8]
I16: TypeAlias = NDArray[np.int16]
I32: TypeAlias = NDArray[np.int32]
I64: TypeAlias = NDArray[np.int64]
F32: TypeAlias = NDArray[np.float32]
F64: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]
