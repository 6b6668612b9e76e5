// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IVault} from "../interfaces/IVault.sol";
import {SIGNATURE_BYTES} from "../VaultConstants.sol";

/// @title SignerConsent
/// @notice The consent of several price signers to one digest.
library SignerConsent {
    /// @dev As many signatures over the one digest as are required, each of another price signer: ascending addresses
    /// leave no signer to be counted twice.
    function check(
        mapping(address => bool) storage priceSigners,
        uint256 required,
        bytes32 digest,
        bytes calldata signatures
    ) internal view {
        if (signatures.length != required * SIGNATURE_BYTES) revert IVault.SignaturesRequired(required);
        address last;
        for (uint256 i = 0; i < signatures.length; i += SIGNATURE_BYTES) {
            (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(
                digest,
                signatures[i:i + SIGNATURE_BYTES]
            );
            if (failure != ECDSA.RecoverError.NoError || signer <= last || !priceSigners[signer]) {
                revert IVault.InvalidAttestationSignature();
            }
            last = signer;
        }
    }
}
