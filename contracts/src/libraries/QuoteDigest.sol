// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../interfaces/IVault.sol";

/// @title QuoteDigest
/// @notice Digest that the quote signer signs: keccak256 over the fourteen tightly packed values of the specification,
/// 273 bytes, then an EIP-191 personal message over those 32 bytes.
library QuoteDigest {
    /// @dev The fourteen packed values.
    function packed(
        IVault.CreateRequest calldata request,
        address user,
        uint256 chainId,
        address vault
    ) internal pure returns (bytes memory) {
        return
            bytes.concat(
                abi.encodePacked(
                    "CREATE_POSITION",
                    request.positionSeed,
                    user,
                    request.venueMarketId,
                    request.venueTokenId,
                    request.collateralUsdcUnits,
                    request.leverageBps
                ),
                abi.encodePacked(
                    request.notionalUsdcUnits,
                    request.originationFeeBps,
                    request.lifetimeFeeAprBps,
                    request.liquidationFeeBps,
                    request.signatureExpiry,
                    chainId,
                    vault
                )
            );
    }

    /// @dev The digest of a request of this user, on this chain, for this vault.
    function digest(
        IVault.CreateRequest calldata request,
        address user,
        uint256 chainId,
        address vault
    ) internal pure returns (bytes32) {
        return keccak256(packed(request, user, chainId, vault));
    }
}
