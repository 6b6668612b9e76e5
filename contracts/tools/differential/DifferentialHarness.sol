// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {AttestationDigest} from "../../src/libraries/AttestationDigest.sol";
import {FeeMath} from "../../src/libraries/FeeMath.sol";
import {GrantMath} from "../../src/libraries/GrantMath.sol";
import {LiquidationMath} from "../../src/libraries/LiquidationMath.sol";
import {OpeningSplit} from "../../src/libraries/OpeningSplit.sol";
import {QuoteDigest} from "../../src/libraries/QuoteDigest.sol";
import {UnitMath} from "../../src/libraries/UnitMath.sol";
import {Waterfall} from "../../src/libraries/Waterfall.sol";
import {StoredGrant} from "../../src/StoredPosition.sol";

/// @title DifferentialHarness
/// @notice Answers many vectors in one call, with the code the vault runs: its libraries, and for keys, accounts and
/// order hashes the deployed vault and exchange themselves. A row of plain numbers is a fixed count of words.
contract DifferentialHarness {
    /// @notice Rows (notional, bps) → fee.
    function originationFees(uint256[] calldata w) external pure returns (uint256[] memory a) {
        a = new uint256[](w.length / 2);
        for (uint256 i = 0; i < a.length; ++i) a[i] = FeeMath.originationFee(w[2 * i], w[2 * i + 1]);
    }

    /// @notice Rows (principal, apr, seconds) → fee.
    function lifetimeFees(uint256[] calldata w) external pure returns (uint256[] memory a) {
        a = new uint256[](w.length / 3);
        for (uint256 i = 0; i < a.length; ++i) a[i] = FeeMath.lifetimeFee(w[3 * i], w[3 * i + 1], w[3 * i + 2]);
    }

    /// @notice Rows (debt, liquidation fee, buffer, tokens) → (threshold, price).
    function liquidations(uint256[] calldata w) external pure returns (uint256[] memory a) {
        a = new uint256[](w.length / 2);
        for (uint256 i = 0; i < w.length / 4; ++i) {
            uint256 threshold = LiquidationMath.threshold(w[4 * i], w[4 * i + 1], w[4 * i + 2]);
            a[2 * i] = threshold;
            a[2 * i + 1] = LiquidationMath.price(threshold, w[4 * i + 3]);
        }
    }

    /// @notice Rows (cash, collateral, notional, venue fee, origination fee, lent, filled) → the six of a split.
    function openingSplits(uint256[] calldata w) external pure returns (uint256[] memory a) {
        a = new uint256[]((w.length / 7) * 6);
        for (uint256 i = 0; i < w.length / 7; ++i) {
            uint256[] calldata row = w[7 * i:];
            OpeningSplit.Split memory s = OpeningSplit.split(
                OpeningSplit.Opening(row[0], row[1], row[2], row[3], row[4], row[5], row[6])
            );
            a[6 * i] = s.spentUsdcUnits;
            a[6 * i + 1] = s.tradeUsdcUnits;
            a[6 * i + 2] = s.principalUsdcUnits;
            a[6 * i + 3] = s.poolUsdcUnits;
            a[6 * i + 4] = s.originationFeeUsdcUnits;
            a[6 * i + 5] = s.userUsdcUnits;
        }
    }

    /// @notice Rows (cash, principal, fees, bps) → the four figures of a distribution.
    function waterfalls(uint256[] calldata w) external pure returns (uint256[] memory a) {
        a = new uint256[](w.length);
        for (uint256 i = 0; i < w.length; i += 4) {
            Waterfall.Distribution memory d = Waterfall.distribute(Waterfall.Due(w[i], w[i + 1], w[i + 2], w[i + 3]));
            a[i] = d.principalUsdcUnits;
            a[i + 1] = d.lifetimeFeeUsdcUnits;
            a[i + 2] = d.liquidationFeeUsdcUnits;
            a[i + 3] = d.userUsdcUnits;
        }
    }

    /// @notice Rows (amount, sold, held) → share.
    function closeShares(uint256[] calldata w) external pure returns (uint256[] memory a) {
        a = new uint256[](w.length / 3);
        for (uint256 i = 0; i < a.length; ++i) a[i] = UnitMath.multiplyDivideUp(w[3 * i], w[3 * i + 1], w[3 * i + 2]);
    }

    /// @notice Rows (start, limit, fee, time of the path, elapsed, give, left, minimum tokens, notional) → given and
    /// taken of the best purchase, then of the best sale.
    function bestFills(uint256[] calldata w) external pure returns (uint256[] memory a) {
        a = new uint256[]((w.length / 9) * 4);
        for (uint256 i = 0; i < w.length / 9; ++i) {
            uint256[] calldata row = w[9 * i:];
            GrantMath.Price memory price = GrantMath.priceOf(_grantOf(row), true, row[4]);
            GrantMath.Part memory part = GrantMath.bestPurchase(price, row[5], row[6], row[7], row[8]);
            (a[4 * i], a[4 * i + 1]) = (part.givenUnits, part.takenUnits);
            price = GrantMath.priceOf(_grantOf(row), false, row[4]);
            part = GrantMath.bestSale(price, row[5], row[6]);
            (a[4 * i + 2], a[4 * i + 3]) = (part.givenUnits, part.takenUnits);
        }
    }

    /// @notice Rows (start, limit, fee, time of the path, elapsed, give, take, left) → given, taken and 1 at the price,
    /// of a purchase, then of a sale.
    function fills(uint256[] calldata w) external pure returns (uint256[] memory a) {
        a = new uint256[]((w.length / 8) * 6);
        for (uint256 i = 0; i < w.length / 8; ++i) {
            uint256[] calldata row = w[8 * i:];
            for (uint256 side = 0; side < 2; ++side) {
                GrantMath.Price memory price = GrantMath.priceOf(_grantOf(row), side == 0, row[4]);
                GrantMath.Part memory part = side == 0
                    ? GrantMath.purchase(price, row[5], row[6], row[7])
                    : GrantMath.sale(price, row[5], row[6], row[7]);
                uint256 place = 6 * i + 3 * side;
                (a[place], a[place + 1]) = (part.givenUnits, part.takenUnits);
                a[place + 2] = GrantMath.isAtPrice(price, side == 0, part) ? 1 : 0;
            }
        }
    }

    function _grantOf(uint256[] calldata row) private pure returns (StoredGrant memory g) {
        g.startPips = uint16(row[0]);
        g.limitPips = uint16(row[1]);
        g.venueFeeBps = uint16(row[2]);
        g.validFor = uint8(row[3]);
    }

    /// @notice Digests of quotes of any caller, chain and vault.
    function quoteDigests(
        IVault.CreateRequest[] calldata requests,
        address[] calldata users,
        uint256[] calldata chainIds,
        address[] calldata vaults
    ) external pure returns (bytes32[] memory a) {
        a = new bytes32[](requests.length);
        for (uint256 i = 0; i < a.length; ++i) {
            a[i] = QuoteDigest.digest(requests[i], users[i], chainIds[i], vaults[i]);
        }
    }

    /// @notice Position keys and accounts as the deployed vault answers.
    function positions(
        IVault vault,
        address[] calldata users,
        bytes16[] calldata seeds
    ) external view returns (bytes32[] memory keys, address[] memory accounts) {
        keys = new bytes32[](users.length);
        accounts = new address[](users.length);
        for (uint256 i = 0; i < users.length; ++i) {
            keys[i] = vault.positionKeyOf(users[i], seeds[i]);
            accounts[i] = vault.accountOf(keys[i]);
        }
    }

    /// @notice Order hashes as the deployed exchange answers.
    function orderHashes(
        IVenueExchange exchange,
        IVenueExchange.Order[] calldata orders
    ) external view returns (bytes32[] memory a) {
        a = new bytes32[](orders.length);
        for (uint256 i = 0; i < a.length; ++i) a[i] = exchange.hashOrder(orders[i]);
    }

    /// @notice Hashes of grants' attestations of any vault on this chain.
    function grantAttestationHashes(
        IVault.GrantAttestation[] calldata attestations,
        address[] calldata vaults
    ) external view returns (bytes32[] memory a) {
        a = new bytes32[](attestations.length);
        for (uint256 i = 0; i < a.length; ++i) a[i] = AttestationDigest.digest(attestations[i], vaults[i]);
    }

    /// @notice Hashes of batches of grants of any vault on this chain.
    function grantBatchHashes(
        IVault.GrantBatch[] calldata batches,
        address[] calldata vaults
    ) external view returns (bytes32[] memory a) {
        a = new bytes32[](batches.length);
        for (uint256 i = 0; i < a.length; ++i) a[i] = AttestationDigest.digest(batches[i], vaults[i]);
    }

    /// @notice Attestation hashes of any vault on this chain.
    function attestationHashes(
        IVault.PriceAttestation[] calldata attestations,
        address[] calldata vaults
    ) external view returns (bytes32[] memory a) {
        a = new bytes32[](attestations.length);
        for (uint256 i = 0; i < a.length; ++i) a[i] = AttestationDigest.digest(attestations[i], vaults[i]);
    }
}
