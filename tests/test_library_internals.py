"""Private parts of libraries that this package uses.

A release may change them without notice, so `pyproject.toml` caps these libraries. A failure names the library and its
version, the part that changed and the file that uses it.
"""

import ctypes
from array import array
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from polyopolis.kernels.runtime.wasm_calls import ArrayRows, slots_of

ROOT = Path(__file__).parents[1]
NEEDS_NUMBA = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")

GUARD = "src/polyopolis/server/realtime/connection_guard.py"
COMPRESSION = "src/polyopolis/server/realtime/websocket_compression.py"
JIT = "src/polyopolis/kernels/runtime/jit.py"
LAB_JIT = "src/polyopolis/lab/stepping/step_compiler.py"
WASM = "src/polyopolis/kernels/wasm_build.py"
PTX = "src/polyopolis/lab/gpu/ptx_compiler.py"

HTTP = "uvicorn.protocols.http.httptools_impl:HttpToolsProtocol"
CYCLE = "uvicorn.protocols.http.httptools_impl:RequestResponseCycle"
SOCKET = "uvicorn.protocols.websockets.websockets_sansio_impl:WebSocketsSansIOProtocol"
DEFLATE = "websockets.extensions.permessage_deflate"

PARAMETERS = [
    (GUARD, f"{HTTP}.connection_made", "self transport"),
    (GUARD, f"{HTTP}.connection_lost", "self exc"),
    (GUARD, f"{HTTP}.pause_writing", "self"),
    (GUARD, f"{HTTP}.resume_writing", "self"),
    (GUARD, f"{HTTP}.shutdown", "self"),
    (GUARD, f"{HTTP}._start_asgi_task", "self cycle app"),
    (GUARD, f"{HTTP}.data_received", "self data"),
    (GUARD, f"{HTTP}.on_message_begin", "self"),
    (GUARD, f"{HTTP}.on_body", "self body"),
    (GUARD, f"{HTTP}.on_message_complete", "self"),
    (GUARD, f"{HTTP}.handle_websocket_upgrade", "self"),
    (GUARD, f"{HTTP}.send_400_response", "self msg"),
    (GUARD, f"{SOCKET}.__init__", "self config server_state app_state _loop"),
    (GUARD, f"{SOCKET}.connection_made", "self transport"),
    (GUARD, f"{SOCKET}.connection_lost", "self exc"),
    (GUARD, f"{SOCKET}.pause_writing", "self"),
    (GUARD, f"{SOCKET}.resume_writing", "self"),
    (GUARD, f"{SOCKET}.run_asgi", "self"),
    (GUARD, f"{SOCKET}.data_received", "self data"),
    (GUARD, f"{SOCKET}.handle_ping", "self"),
    (GUARD, f"{SOCKET}.handle_pong", "self event"),
    (GUARD, f"{SOCKET}.handle_cont", "self event"),
    (GUARD, f"{SOCKET}.handle_text", "self event"),
    (GUARD, f"{SOCKET}.handle_bytes", "self event"),
    (GUARD, f"{SOCKET}.handle_parser_exception", "self"),
    (GUARD, "websockets.protocol:Protocol.send_text", "self data fin"),
    (GUARD, "websockets.protocol:Protocol.data_to_send", "self"),
    (GUARD, "websockets.protocol:Protocol.fail", "self code reason"),
    (
        COMPRESSION,
        f"{DEFLATE}:ServerPerMessageDeflateFactory.process_request_params",
        "self params accepted_extensions",
    ),
]
NUMBA_PARAMETERS = [
    (WASM, "numba.core.dispatcher:Dispatcher.inspect_llvm", "self signature"),
    (PTX, "numba.core.dispatcher:Dispatcher.compile", "self sig"),
    (JIT, "numba.core.base:BaseContext.get_constant", "self ty val"),
    (LAB_JIT, "numba.core.base:BaseContext.get_dummy_value", "self"),
    (LAB_JIT, "numba.core.base:BaseContext.make_array", "self typ"),
    (LAB_JIT, "numba.core.cgutils:get_item_pointer", "context builder aryty ary inds wraparound boundscheck"),
    (LAB_JIT, "numba.core.cgutils:get_or_insert_function", "module fnty name"),
    (LAB_JIT, "numba.core.cgutils:pack_array", "builder values ty"),
    (LAB_JIT, "numba.core.cgutils:_StructProxy._getvalue", "self"),
]
ATTRIBUTES = [
    (GUARD, HTTP, "cycle loop transport"),
    (GUARD, CYCLE, "disconnected message_event response_complete scope"),
    (GUARD, SOCKET, "conn scope transport"),
    (GUARD, "uvicorn._types", "ASGI3Application"),
    (GUARD, "websockets.server:ServerProtocol", "available_extensions state"),
    (COMPRESSION, f"{DEFLATE}:PerMessageDeflate", "encoder local_max_window_bits local_no_context_takeover"),
]
NUMBA_ATTRIBUTES = [
    (JIT, "numba.core.dispatcher:Dispatcher", "_cache py_func"),
    (JIT, "numba.core.caching:FunctionCache", "_cache_file"),
    (JIT, "numba.core.caching:IndexDataCacheFile", "_version"),
    (WASM, "numba.core.dispatcher:Dispatcher", "overloads signatures"),
    (WASM, "numba.core.compiler:CompileResult", "fndesc"),
    (WASM, "numba.core.funcdesc:FunctionDescriptor", "llvm_func_name"),
]


def fail(user: str, part: str, problem: str) -> None:
    library = part.partition(".")[0]
    pytest.fail(
        f"{library} {version(library)}: {part} {problem}; {user} uses it. Adapt that file, or cap {library} in "
        "pyproject.toml.",
        pytrace=False,
    )


def find(user: str, part: str) -> Any:
    assert (ROOT / user).is_file()
    try:
        return resolve_name(part)
    except (ImportError, AttributeError) as error:
        return fail(user, part, f"is missing ({error})")


def mentioned_names(owner: Any) -> set[str]:
    """Returns the attributes of a module or class and all names in its methods, which include instance attributes."""
    classes = getattr(owner, "__mro__", ())
    methods = [value.__code__ for each in classes for value in vars(each).values() if hasattr(value, "__code__")]
    return {*dir(owner), *(name for code in methods for name in code.co_names)}


def check_parameters(user: str, part: str, parameters: str) -> None:
    found = " ".join(signature(find(user, part)).parameters)
    if found != parameters:
        fail(user, part, f"takes ({found}), not ({parameters})")


def check_attributes(user: str, part: str, attributes: str) -> None:
    if missing := sorted(set(attributes.split()) - mentioned_names(find(user, part))):
        fail(user, part, f"has no {', '.join(missing)}")


@pytest.mark.parametrize(("user", "part", "parameters"), PARAMETERS)
def test_private_methods_keep_their_parameters(user: str, part: str, parameters: str) -> None:
    check_parameters(user, part, parameters)


@pytest.mark.parametrize(("user", "part", "attributes"), ATTRIBUTES)
def test_private_attributes_exist(user: str, part: str, attributes: str) -> None:
    check_attributes(user, part, attributes)


@NEEDS_NUMBA
@pytest.mark.parametrize(("user", "part", "parameters"), NUMBA_PARAMETERS)
def test_private_functions_of_numba_keep_their_parameters(user: str, part: str, parameters: str) -> None:
    check_parameters(user, part, parameters)


@NEEDS_NUMBA
@pytest.mark.parametrize(("user", "part", "attributes"), NUMBA_ATTRIBUTES)
def test_private_attributes_of_numba_exist(user: str, part: str, attributes: str) -> None:
    check_attributes(user, part, attributes)


def test_failure_names_library_version_part_and_file() -> None:
    with pytest.raises(pytest.fail.Exception) as failure:
        check_parameters(GUARD, f"{HTTP}.on_body", "self chunk")
    assert str(failure.value) == (
        f"uvicorn {version('uvicorn')}: {HTTP}.on_body takes (self body), not (self chunk); "
        f"{GUARD} uses it. Adapt that file, or cap uvicorn in pyproject.toml."
    )
    with pytest.raises(pytest.fail.Exception, match=r"HttpToolsProtocol\.gone is missing"):
        check_parameters(GUARD, f"{HTTP}.gone", "self")
    with pytest.raises(pytest.fail.Exception, match="HttpToolsProtocol has no gone"):
        check_attributes(GUARD, HTTP, "cycle gone")


# The LLVM text that numba generates for a function, and its calling convention.


def compiled(user: str, function: Any, types: Sequence[Any]) -> Any:
    """Compiles the function with the options that the kernels use."""
    numba = import_module("numba")
    try:
        made = numba.njit(nogil=True, error_model="numpy", forceinline=True, _nrt=False)(function)
        made.compile(tuple(types))
    except KeyError as error:
        fail(user, "numba.njit", f"does not accept these options ({error})")
    return made


def check_call(user: str, caller: str, text: str, name: str) -> None:
    """Compares the declaration of a function in our LLVM text with its definition in numba's."""
    llvm = import_module("llvmlite.binding")
    try:
        definition = llvm.parse_assembly(text).get_function(name)
    except (NameError, RuntimeError) as error:
        fail(user, "numba.core.dispatcher:Dispatcher.inspect_llvm", f"returns other text ({error})")
    declaration = llvm.parse_assembly(caller).get_function(name)
    declared, defined = (
        (str(each.global_value_type), [str(argument.type) for argument in each.arguments])
        for each in (declaration, definition)
    )
    if declared != defined:
        fail(user, "numba.core.callconv", f"defines a function as {defined}, not as {declared}")


def example(number: int, words: Any, both: tuple[Any, Any]) -> tuple[int, int]:
    rows, floats = both
    floats[1] = 0.5
    return number + rows[1, 2], len(words) + rows.shape[1]


def strided_example(deck: Any, city: Any, sight: Any, steps: int) -> None:
    sight[0] = deck[0] + city[0] + steps


@NEEDS_NUMBA
def test_webassembly_export_calls_a_function_of_numba() -> None:
    """The export, compiled for this machine, reads the same slots and calls the same LLVM text."""
    llvm, types, wasm = map(import_module, ("llvmlite.binding", "numba.types", "polyopolis.kernels.wasm_build"))
    arrays = types.Array(types.uint64, 1, "C"), types.Array(types.int64, 2, "C"), types.Array(types.float64, 1, "C")
    export, text = wasm.compile_export(compiled(WASM, example, (types.int64, arrays[0], types.Tuple(arrays[1:]))))
    caller = f"declare void @llvm.trap()\n{export.llvm_text()}"
    check_call(WASM, caller, text, export._numba_name)

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    module = llvm.parse_assembly(caller)
    module.link_in(llvm.parse_assembly(text))
    try:
        wasm.optimise_module(module, machine, [export.name])
    except wasm.WasmBuildError as error:
        fail(WASM, "numba.core.dispatcher:Dispatcher.inspect_llvm", f"returns other text ({error})")
    engine = llvm.create_mcjit_compiler(module, machine)
    words, rows, floats = array("Q", [7, 8]), ArrayRows("q", 2, 3), array("d", [0.0, 0.0])
    rows.flat[5] = 40
    slots = array("q", slots_of((2, words, (rows, floats)), lambda numbers: numbers.buffer_info()[0]))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.get_function_address(export.name))(slots.buffer_info()[0])
    if (found := (*slots[:2], *floats)) != (42, 5, 0.0, 0.5):
        fail(WASM, "numba.core.callconv", f"passes arguments and results in another order ({found})")


@NEEDS_NUMBA
def test_ptx_kernel_calls_a_function_of_numba() -> None:
    types, ptx = map(import_module, ("numba.types", "polyopolis.lab.gpu.ptx_compiler"))
    arrays = ("deck", "city", "sight")
    made = compiled(PTX, strided_example, [*map(ptx.numba_type, arrays), types.int64])
    (of_example,) = made.signatures
    name = made.overloads[of_example].fndesc.llvm_func_name
    kernel = ptx.PtxKernel("example", name)
    for each in arrays:
        kernel.add_array(each)
    kernel.add_number("steps")
    check_call(PTX, ptx.DECLARATIONS + kernel.llvm_text(), made.inspect_llvm(of_example), name)
