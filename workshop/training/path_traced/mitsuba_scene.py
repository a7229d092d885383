"""From surfaces to mitsuba's scene. Its frame is right-handed: board points are written (x, -y, z), colours RGB."""

from __future__ import annotations

import importlib
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from workshop.training.path_traced.ground import linear, table, things, things_picture
from workshop.training.path_traced.hand_surface import hand
from workshop.training.path_traced.room import Room
from workshop.training.path_traced.stacks import bodies, faces, faces_picture, faces_relief
from workshop.training.path_traced.surface import Floats, Surface
from workshop.training.path_traced.windows import Light
from workshop.training.rendering.scene_arrays import SceneArrays
from workshop.training.scene.canvas import METAL, TABLE

_VARIANT = "llvm_ad_rgb"
_OLDEST_LLVM = 19
"""LLVM 14 and 15 know not all of what mitsuba 3.9 wants of them, 16 not on processors with AVX-512, and end the whole
process over it; 17 and 18 were not tried."""
HAND = "hand"


def missing() -> str:
    """Return one line that says what the path tracer wants here, "" if it can run."""
    absent = [name for name in ("drjit", "mitsuba", "mitsuba_oidn") if find_spec(name) is None]
    if absent:
        return f"the path tracer needs {', '.join(absent)}: pip install '.[train]'"
    version = importlib.import_module("drjit").detail.llvm_version()
    if version is None or version[0] < _OLDEST_LLVM:
        return (
            f"the path tracer needs LLVM {_OLDEST_LLVM} or newer: install libllvm{_OLDEST_LLVM}, or name the file of "
            "one in DRJIT_LIBLLVM_PATH"
        )
    return ""


def mitsuba() -> Any:
    """Return the package mitsuba, compiled code chosen; it tells no types."""
    package: Any = importlib.import_module("mitsuba")
    package.set_variant(_VARIANT)
    return package


def mirror(points: Floats) -> Floats:
    """Return board points or directions (..., 3) in mitsuba's frame, and back."""
    return points * [1.0, -1.0, 1.0]


def build(scene: SceneArrays, room: Room) -> Any:
    """Return the scene for mitsuba's integrators."""
    mi = mitsuba()
    parts: dict[str, Any] = {"type": "scene", "dome": _dome(mi, room.dome)}
    rows = scene.materials
    picture = _picture(mi, things_picture(scene), wrap="clamp")
    for row, part in things(scene).items():
        parts[f"thing{row}"] = _mesh(
            mi, part, _plastic(picture, *rows[row]) if row != METAL else _metal(picture, *rows[row])
        )
    cloth = _picture(mi, linear(scene.table), wrap="repeat")
    parts["table"] = _mesh(mi, table(scene, room.beyond), _plastic(cloth, *rows[TABLE]))
    rough, gloss = rows[scene.tile_material]
    body, top, reaching = bodies(scene), faces(scene), hand(scene)
    if body:
        body, colours = _palette(mi, body)
        parts["bodies"] = _mesh(mi, body, _plastic(colours, rough, gloss))
    if top:
        print_ = _plastic(_picture(mi, faces_picture(scene), wrap="clamp"), rough, gloss)
        if scene.emboss:
            relief = _picture(mi, faces_relief(scene)[..., None], wrap="clamp")
            print_ = {"type": "bumpmap", "relief": relief, "bsdf": print_}
        parts["faces"] = _mesh(mi, top, print_)
    if reaching:
        reaching, colours = _palette(mi, reaching)
        parts[HAND] = _mesh(mi, reaching, _plastic(colours, 0.5, 0.5))
    blockers, colours = _palette(mi, room.blockers)
    matt = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": colours}}
    parts["blockers"] = _mesh(mi, blockers, matt)
    for k, light in enumerate(room.lights):
        parts[f"light{k}"] = _shining(mi, light)
    return mi.load_dict(parts)


def _palette(mi: Any, part: Surface) -> tuple[Surface, Any]:
    """Return the surface with its own colours as a picture of them, a pixel each."""
    colours, number = np.unique(part.colours, axis=0, return_inverse=True)
    uv = np.column_stack([(number.ravel() + 0.5) / len(colours), np.full(len(number.ravel()), 0.5)])
    return replace(part, uv=uv), _picture(mi, colours[None], wrap="clamp", between="nearest")


def _picture(mi: Any, values: Floats, wrap: str, between: str = "bilinear") -> Any:
    data = mi.TensorXf(np.ascontiguousarray(values[..., ::-1], np.float32))
    return mi.load_dict({"type": "bitmap", "data": data, "raw": True, "wrap_mode": wrap, "filter_type": between})


def _plastic(colour: Any, rough: float, gloss: float) -> dict[str, Any]:
    """Return a coat of clear plastic over a colour; `rough` and `gloss` as the marcher takes them."""
    return {
        "type": "twosided",
        "bsdf": {
            "type": "roughplastic",
            "distribution": "ggx",
            "int_ior": 1.5,
            "alpha": float(np.clip(rough, 0.05, 1.0) ** 2 * 0.9 + 0.004),
            "diffuse_reflectance": colour,
            "specular_reflectance": {"type": "uniform", "value": float(max(gloss, 1e-3))},
        },
    }


def _metal(colour: Any, rough: float, gloss: float) -> dict[str, Any]:
    return {
        "type": "twosided",
        "bsdf": {"type": "roughconductor", "alpha": float(rough), "specular_reflectance": colour},
    }


def _mesh(mi: Any, part: Surface, material: dict[str, Any], shines: Any = None) -> Any:
    properties = mi.Properties()
    properties["mesh_bsdf"] = mi.load_dict(material)
    if shines is not None:
        properties["mesh_emitter"] = shines
    mesh = mi.Mesh(
        "part",
        len(part.points),
        len(part.triangles),
        has_vertex_normals=True,
        has_vertex_texcoords=True,
        props=properties,
    )
    held = mi.traverse(mesh)
    held["vertex_positions"] = mirror(part.points).astype(np.float32).ravel()
    held["vertex_normals"] = mirror(part.normals).astype(np.float32).ravel()
    held["vertex_texcoords"] = part.uv.astype(np.float32).ravel()
    held["faces"] = part.triangles.astype(np.uint32).ravel()
    held.update()
    return mesh


def _shining(mi: Any, light: Light) -> Any:
    radiance = {"type": "rgb", "value": [float(value) for value in light.radiance[::-1]]}
    emitter = mi.load_dict({"type": "area", "radiance": radiance})
    return _mesh(mi, light.face, {"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.0}}, emitter)


def _dome(mi: Any, dome: Floats) -> dict[str, Any]:
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    data = np.ascontiguousarray(dome[..., ::-1], np.float32)
    return {"type": "envmap", "bitmap": mi.Bitmap(data), "to_world": upright}
