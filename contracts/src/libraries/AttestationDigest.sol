// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../interfaces/IVault.sol";

/// @title AttestationDigest
/// @notice EIP-712 hashing of the attestations of orders and of grants, domain ("Vault", "1").
library AttestationDigest {
    bytes32 internal constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 internal constant ATTESTATION_TYPEHASH =
        keccak256(
            "PriceAttestation(bytes32 marketId,uint256 tokenId,uint8 purpose,uint32 markPips,uint32 limitPips,"
            "uint32 triggerPips,uint16 venueFeeBps,uint16 exitBufferBps,uint64 observedAt)"
        );

    bytes32 internal constant GRANT_ATTESTATION_TYPEHASH =
        keccak256(
            "GrantAttestation(bytes32 positionKey,bytes32 marketId,uint256 tokenId,uint8 purpose,"
            "uint32 markPips,uint32 limitPips,uint32 triggerPips,uint16 venueFeeBps,uint16 exitBufferBps,"
            "uint64 observedAt,uint64 mostUnits,uint16 validFor,uint64 notAfter)"
        );

    string private constant MEMBER_TYPE =
        "GrantMember(bytes32 positionKey,uint64 mostUnits,uint32 limitPips,uint32 triggerPips,uint16 venueFeeBps)";
    bytes32 internal constant GRANT_MEMBER_TYPEHASH = keccak256(bytes(MEMBER_TYPE));
    bytes32 internal constant GRANT_BATCH_TYPEHASH =
        keccak256(
            abi.encodePacked(
                "GrantBatch(bytes32 marketId,uint256 tokenId,uint8 purpose,uint32 markPips,uint64 observedAt,"
                "uint16 validFor,uint64 notAfter,GrantMember[] members)",
                MEMBER_TYPE
            )
        );

    /// @dev The separator of this vault on this chain, computed each time: a fork of the chain changes it.
    function domainSeparator(address vault) internal view returns (bytes32) {
        return
            keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Vault"), keccak256("1"), block.chainid, vault));
    }

    /// @dev The typed-data hash of an attestation for this vault.
    function digest(IVault.PriceAttestation calldata attestation, address vault) internal view returns (bytes32) {
        return _typedData(keccak256(abi.encode(ATTESTATION_TYPEHASH, attestation)), vault);
    }

    /// @dev The typed-data hash of a grant's attestation for this vault. Its type differs from an order's, so neither
    /// consent serves the other.
    function digest(IVault.GrantAttestation calldata attestation, address vault) internal view returns (bytes32) {
        return _typedData(keccak256(abi.encode(GRANT_ATTESTATION_TYPEHASH, attestation)), vault);
    }

    /// @dev The typed-data hash of a batch of grants for this vault.
    function digest(IVault.GrantBatch calldata batch, address vault) internal view returns (bytes32) {
        uint256 count = batch.members.length;
        bytes32[] memory hashes = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            hashes[i] = keccak256(abi.encode(GRANT_MEMBER_TYPEHASH, batch.members[i]));
        }
        return
            _typedData(
                keccak256(
                    abi.encode(
                        GRANT_BATCH_TYPEHASH,
                        batch.marketId,
                        batch.tokenId,
                        batch.purpose,
                        batch.markPips,
                        batch.observedAt,
                        batch.validFor,
                        batch.notAfter,
                        keccak256(abi.encodePacked(hashes))
                    )
                ),
                vault
            );
    }

    function _typedData(bytes32 structHash, address vault) private view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domainSeparator(vault), structHash));
    }
}
