// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";

/// @notice The thirteen values a quote's signature covers besides its fixed prefix, and the same with one bit flipped.
library QuoteBits {
    struct Signed {
        IVault.CreateRequest request;
        address user;
        uint256 chainId;
        address vault;
    }

    uint256 internal constant FIELDS = 13;
    uint256 internal constant USER = 10;
    uint256 internal constant CHAIN = 11;
    uint256 internal constant VAULT = 12;
    uint256 internal constant EXPIRY = 9;

    /// @dev Bits of a field as it is packed: first the ten of the request in its order, then user, chain and vault.
    function width(uint256 field) internal pure returns (uint256 bits) {
        uint16[13] memory widths = [128, 256, 256, 256, 32, 256, 16, 16, 16, 256, 160, 256, 160];
        return widths[field];
    }

    /// @dev A copy with one bit of one field flipped; bit 0 is the lowest.
    function flipped(Signed memory s, uint256 field, uint256 bit) internal pure returns (Signed memory t) {
        t = abi.decode(abi.encode(s), (Signed));
        uint256 mask = 1 << bit;
        IVault.CreateRequest memory r = t.request;
        if (field == 0) r.positionSeed ^= bytes16(uint128(mask));
        else if (field == 1) r.venueMarketId ^= bytes32(mask);
        else if (field == 2) r.venueTokenId ^= mask;
        else if (field == 3) r.collateralUsdcUnits ^= mask;
        else if (field == 4) r.leverageBps ^= uint32(mask);
        else if (field == 5) r.notionalUsdcUnits ^= mask;
        else if (field == 6) r.originationFeeBps ^= uint16(mask);
        else if (field == 7) r.lifetimeFeeAprBps ^= uint16(mask);
        else if (field == 8) r.liquidationFeeBps ^= uint16(mask);
        else if (field == EXPIRY) r.signatureExpiry ^= mask;
        else if (field == USER) t.user = address(uint160(t.user) ^ uint160(mask));
        else if (field == CHAIN) t.chainId ^= mask;
        else t.vault = address(uint160(t.vault) ^ uint160(mask));
    }
}
