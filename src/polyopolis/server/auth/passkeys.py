"""Passkeys: what an authenticator is asked for, and whether its answer is true."""

import base64
import json
import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
)

from polyopolis.engine import PolyopolisError
from polyopolis.play.errors import Forbidden
from polyopolis.server.auth.credentials import Passkey

SITE = "Polyopolis"
Options = dict[str, Any]
Kind = Literal["new-passkey", "passkey"]


def challenge() -> str:
    """Something to sign, as it is written on the wire."""
    return secrets.token_urlsafe(32)


def asked_for_new(origin: str, word: str, person: str, name: str, known: Iterable[str]) -> Options:
    """Any authenticator that remembers by itself for whom it is; none that is known already."""
    options = generate_registration_options(
        rp_id=_site(origin),
        rp_name=SITE,
        user_id=sha256(person.encode()).digest(),
        user_name=name,
        challenge=_bytes(word),
        authenticator_selection=AuthenticatorSelectionCriteria(resident_key=ResidentKeyRequirement.REQUIRED),
        exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each)) for each in known],
    )
    return _written(options_to_json(options))


def asked_for_known(origin: str, word: str) -> Options:
    return _written(options_to_json(generate_authentication_options(rp_id=_site(origin), challenge=_bytes(word))))


def new_passkey(origin: str, word: str, credential: Options) -> tuple[str, bytes, int]:
    """Its name, its public key, and how often it was used."""
    try:
        found = verify_registration_response(
            credential=credential,
            expected_challenge=_bytes(word),
            expected_rp_id=_site(origin),
            expected_origin=origin,
        )
    except (WebAuthnException, ValueError, TypeError, KeyError) as error:
        raise Forbidden("this passkey cannot be taken") from error
    return bytes_to_base64url(found.credential_id), found.credential_public_key, found.sign_count


def shown_passkey(origin: str, word: str, credential: Options, known: Passkey) -> int:
    """How often it was used, once it is clear that it is the one that is known."""
    try:
        found = verify_authentication_response(
            credential=credential,
            expected_challenge=_bytes(word),
            expected_rp_id=_site(origin),
            expected_origin=origin,
            credential_public_key=known.key,
            credential_current_sign_count=known.count,
        )
    except (WebAuthnException, ValueError, TypeError, KeyError) as error:
        raise Forbidden("this passkey is not known here") from error
    return found.new_sign_count


def word_of(credential: Options) -> str:
    """What was signed, by its own account; the signature is looked at later."""
    try:
        said = json.loads(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        return str(said["challenge"])
    except (KeyError, TypeError, ValueError) as error:
        raise PolyopolisError("the passkey: nothing was signed") from error


def name_of(credential: Options) -> str:
    return str(credential.get("id", ""))


def _site(origin: str) -> str:
    return urlsplit(origin).hostname or ""


def _bytes(word: str) -> bytes:
    return base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))


def _written(options: str) -> Options:
    return cast("Options", json.loads(options))
