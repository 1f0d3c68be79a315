"""WebAuthn challenges and verification."""

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

SITE_NAME = "Polyopolis"
Options = dict[str, Any]
Kind = Literal["new-passkey", "passkey"]


def challenge() -> str:
    """Returns a random challenge in its wire format."""
    return secrets.token_urlsafe(32)


def registration_options(origin: str, word: str, person: str, name: str, known: Iterable[str]) -> Options:
    """Options to register a discoverable credential on an authenticator that has none of `known`."""
    options = generate_registration_options(
        rp_id=_relying_party(origin),
        rp_name=SITE_NAME,
        user_id=sha256(person.encode()).digest(),
        user_name=name,
        challenge=_bytes(word),
        authenticator_selection=AuthenticatorSelectionCriteria(resident_key=ResidentKeyRequirement.REQUIRED),
        exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each)) for each in known],
    )
    return _parsed_json(options_to_json(options))


def authentication_options(origin: str, word: str) -> Options:
    return _parsed_json(
        options_to_json(generate_authentication_options(rp_id=_relying_party(origin), challenge=_bytes(word)))
    )


def verify_registration(origin: str, word: str, credential: Options) -> tuple[str, bytes, int]:
    """Returns the id, public key and signature counter of a new passkey. Raises `Forbidden` if verification fails."""
    try:
        found = verify_registration_response(
            credential=credential,
            expected_challenge=_bytes(word),
            expected_rp_id=_relying_party(origin),
            expected_origin=origin,
        )
    except (WebAuthnException, ValueError, TypeError, KeyError) as error:
        raise Forbidden("this passkey cannot be used") from error
    return bytes_to_base64url(found.credential_id), found.credential_public_key, found.sign_count


def verify_authentication(origin: str, word: str, credential: Options, known: Passkey) -> int:
    """Returns the new signature counter. Raises `Forbidden` if verification fails."""
    try:
        found = verify_authentication_response(
            credential=credential,
            expected_challenge=_bytes(word),
            expected_rp_id=_relying_party(origin),
            expected_origin=origin,
            credential_public_key=known.key,
            credential_current_sign_count=known.count,
        )
    except (WebAuthnException, ValueError, TypeError, KeyError) as error:
        raise Forbidden("this passkey is not known here") from error
    return found.new_sign_count


def challenge_of(credential: Options) -> str:
    """Returns the challenge that a response claims to have signed, without verifying the signature."""
    try:
        said = json.loads(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        return str(said["challenge"])
    except (KeyError, TypeError, ValueError) as error:
        raise PolyopolisError("the passkey response contains no challenge") from error


def credential_id_of(credential: Options) -> str:
    return str(credential.get("id", ""))


def _relying_party(origin: str) -> str:
    return urlsplit(origin).hostname or ""


def _bytes(word: str) -> bytes:
    return base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))


def _parsed_json(options: str) -> Options:
    return cast("Options", json.loads(options))
