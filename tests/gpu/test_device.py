"""Arrays that other libraries have on the device, and ours that they take: no copy, and the right stream."""

import numpy as np
import pytest

from renege.native import cards as native
from renege.native.gpu import NoGpu, find_gpu, playouts
from renege.native.gpu.device import Gpu
from support.random_tables import ORDERS


@pytest.fixture
def gpu() -> Gpu:
    try:
        return find_gpu()
    except NoGpu as missing:
        pytest.skip(str(missing))


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.mark.gpu
def test_torch_takes_an_array_without_a_copy(gpu: Gpu, torch):
    ours = gpu.put(np.arange(12, dtype=np.int32).reshape(3, 4))
    theirs = torch.from_dlpack(ours)
    assert theirs.is_cuda and theirs.tolist() == ours.numpy().tolist()
    assert theirs.data_ptr() == int(ours.buffer.handle)
    theirs += 1
    torch.cuda.synchronize()
    assert ours.numpy()[0].tolist() == [1, 2, 3, 4]


@pytest.mark.gpu
def test_what_was_launched_is_done_before_another_library_looks(gpu: Gpu, torch):
    """A large array is filled in our stream; whoever takes it sees it filled."""
    for byte in (1, 2, 3):
        filled = torch.from_dlpack(gpu.filled(1 << 28, np.uint8, byte))
        assert int(filled.min()) == int(filled.max()) == byte


@pytest.mark.gpu
def test_a_tensor_of_torch_is_used_where_it_lies(gpu: Gpu, torch):
    values = torch.arange(20, dtype=torch.int64, device="cuda")
    torch.cuda.synchronize()
    ours = gpu.put(values)
    assert int(ours.buffer.handle) == values.data_ptr()
    assert ours.shape == (20,) and ours.dtype == np.int64
    assert ours.numpy().tolist() == list(range(20))
    assert gpu.put(ours) is ours


@pytest.mark.gpu
def test_a_tensor_in_the_hosts_memory_is_copied(gpu: Gpu, torch):
    assert gpu.put(torch.arange(5)).numpy().tolist() == [0, 1, 2, 3, 4]


@pytest.mark.gpu
def test_an_array_in_pieces_is_refused(gpu: Gpu, torch):
    with pytest.raises(ValueError, match="must lie in one piece"):
        gpu.put(torch.arange(12, device="cuda").reshape(3, 4).T)


@pytest.mark.gpu
def test_tables_that_lie_on_the_device_are_played_there(gpu: Gpu, torch):
    """The same playouts, where another library has the states, in its own memory."""
    tables = native.tables(ORDERS["5"])
    hands = native.deals((1 << 28) - 1, [7] * 4, 64, 3)
    states = np.stack([native.state(hand, row % 4) for row, hand in enumerate(hands.tolist())])
    theirs = torch.from_numpy(states.view(np.int32)).cuda()
    torch.cuda.synchronize()
    playouts.launch_playouts(gpu, tables, gpu.put(theirs), 9)
    gpu.synchronize()
    expected = native.playouts(tables, states, 9).states
    assert (theirs.cpu().numpy().view(np.uint32) == expected).all()
