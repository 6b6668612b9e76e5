// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice Measures whole transactions, each in isolation, with the first position of an outcome and realistic words.
abstract contract GasMeter is VaultFixture {
    function named(IVault.CreateRequest memory r) internal pure returns (IVault.CreateRequest memory) {
        r.positionSeed = 0x0198f3a27c5b7d1e9a4c6b2d8e1f3a5c;
        r.minPositionTokenUnits = 540e6;
        r.maxLiquidationPricePips = 4_100;
        return r;
    }

    function authorizeMeasured(
        bytes32 key,
        IVenueExchange.Order memory o,
        IVault.PriceAttestation memory a,
        string memory name
    ) internal {
        bytes memory signature = signAttestation(a);
        uint64 validUntil = uint64(block.timestamp + 60);
        // The keeper sends the vault no signature of the order.
        o.signature = "";
        vm.prank(keeper, keeper);
        vault.authorizeOrder(key, IVault.Purpose(a.purpose), o, validUntil, a, signature);
        vm.snapshotGasLastCall("transactions", name);
        o.signature = hex"01";
    }

    function fillMeasured(IVenueExchange.Order memory o, uint256 fee, string memory name) internal {
        fillWhole(o, fee);
        vm.snapshotGasLastCall("transactions", name);
    }

    function finalizeMeasured(bytes32 key, string memory name) internal {
        vm.prank(keeper, keeper);
        vault.finalize(key);
        vm.snapshotGasLastCall("transactions", name);
    }
}

/// @notice Gas of what every position goes through.
/// hardhat-config: isolate = true
contract GasTest is GasMeter {
    function test_gas() public {
        vm.prank(stranger, stranger);
        vault.registerOutcome(oracle, QUESTION, 2);
        vm.snapshotGasLastCall("transactions", "registerOutcome");
        IVault.CreateRequest memory r = named(request());
        bytes memory signature = signQuote(r, alice);
        vm.prank(alice, alice);
        bytes32 key = vault.createPosition(r, signature);
        vm.snapshotGasLastCall("transactions", "createPosition");

        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        o.salt = uint256(keccak256("salt"));
        authorizeMeasured(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000), "authorizeOrder open");
        fillMeasured(o, 9e6, "matchOrders open (venue)");
        finalizeMeasured(key, "finalize open");

        skip(3_600);
        vm.prank(alice, alice);
        vault.requestClose(key, 200e6, 5_500);
        vm.snapshotGasLastCall("transactions", "requestClose");
        o = orderOf(key, 1, 200e6, 110e6);
        authorizeMeasured(key, o, attestation(IVault.Purpose.Close, 5_500, 5_500), "authorizeOrder close part");
        fillMeasured(o, 3_300_000, "matchOrders sale (venue)");
        finalizeMeasured(key, "finalize close part");

        skip(3_600);
        vm.prank(alice, alice);
        vault.addMargin(key, 20e6);
        vm.snapshotGasLastCall("transactions", "addMargin");

        uint256 id = vm.snapshotState();
        endings(key);
        vm.revertToState(id);
        resolve(1, 0);
        vm.prank(stranger, stranger);
        vault.settle(key);
        vm.snapshotGasLastCall("transactions", "settle won");
        usdc.mint(vault.accountOf(key), 1e6);
        vm.prank(stranger, stranger);
        vault.claim(key);
        vm.snapshotGasLastCall("transactions", "claim");
        vm.revertToState(id);
        resolve(0, 1);
        vm.prank(stranger, stranger);
        vault.settle(key);
        vm.snapshotGasLastCall("transactions", "settle lost");
        cancels();
    }

    function endings(bytes32 key) private {
        uint256 id = vm.snapshotState();
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        vm.snapshotGasLastCall("transactions", "exitByRepaying");
        vm.revertToState(id);
        vm.prank(alice, alice);
        vault.requestClose(key, 400e6, 5_500);
        IVenueExchange.Order memory o = orderOf(key, 1, 400e6, 220e6);
        authorizeMeasured(key, o, attestation(IVault.Purpose.Close, 5_500, 5_500), "authorizeOrder close");
        fillMeasured(o, 6_600_000, "matchOrders close (venue)");
        finalizeMeasured(key, "finalize close");
        vm.revertToState(id);
        uint32 price = uint32(vault.liquidationPriceOf(key));
        o = orderOf(key, 1, 400e6, 40_000 * uint256(price));
        authorizeMeasured(key, o, attestation(IVault.Purpose.Liquidate, price, price), "authorizeOrder liquidate");
        fillMeasured(o, 1e6, "matchOrders liquidate (venue)");
        finalizeMeasured(key, "finalize liquidate");
        vm.revertToState(id);
    }

    function cancels() private {
        IVault.CreateRequest memory r = named(request());
        r.positionSeed = bytes16(uint128(0x0298f3a27c5b7d1e9a4c6b2d8e1f3a5c));
        bytes32 key = create(r, bob);
        vm.prank(bob, bob);
        vault.cancelPosition(key);
        vm.snapshotGasLastCall("transactions", "cancelPosition");
    }
}

/// @notice Gas of what happens seldom, and of the pool's calls.
/// hardhat-config: isolate = true
contract RareGasTest is GasMeter {
    function test_gas_of_rarer_calls() public {
        bytes32 key = open(named(request()), alice, 5_000);
        skip(3_600);
        uint256 id = vm.snapshotState();
        unwind(key);
        vm.revertToState(id);
        settlesMeasured(key);
        vm.revertToState(id);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        vm.snapshotGasLastCall("transactions", "impair");
        vm.revertToState(id);
        refundsMeasured();
        vm.revertToState(id);
        poolMeasured();
    }

    function unwind(bytes32 key) private {
        IVenueExchange.Order memory o = orderOf(key, 1, 200e6, 110e6);
        authorizeMeasured(key, o, attestation(IVault.Purpose.Unwind, 5_500, 5_500), "authorizeOrder unwind");
        fillMeasured(o, 3_300_000, "matchOrders unwind (venue)");
        finalizeMeasured(key, "finalize unwind");
    }

    function settlesMeasured(bytes32 key) private {
        uint256 id = vm.snapshotState();
        resolve(1, 1);
        vm.prank(stranger, stranger);
        vault.settle(key);
        vm.snapshotGasLastCall("transactions", "settle void");
        vm.revertToState(id);
        IVenueExchange.Order memory o = orderOf(key, 1, 200e6, 110e6);
        authorize(key, o, attestation(IVault.Purpose.Unwind, 5_500, 5_500));
        fillWhole(o, 3_300_000);
        resolve(1, 0);
        vm.prank(stranger, stranger);
        vault.settle(key);
        vm.snapshotGasLastCall("transactions", "settle with a filled sale");
    }

    /// @dev Openings that end without tokens, one whose user holds no USDC any more, and two ended in one transaction.
    function refundsMeasured() private {
        IVault.CreateRequest memory r = named(request());
        r.positionSeed = bytes16(uint128(0x0398f3a27c5b7d1e9a4c6b2d8e1f3a5c));
        bytes32 unfilled = create(r, bob);
        authorizeOpen(unfilled, 5_000);
        finalizeMeasured(unfilled, "finalize refund");

        r.positionSeed = bytes16(uint128(0x0498f3a27c5b7d1e9a4c6b2d8e1f3a5c));
        bytes32 first = create(r, bob);
        r.positionSeed = bytes16(uint128(0x0598f3a27c5b7d1e9a4c6b2d8e1f3a5c));
        bytes32 second = create(r, bob);
        fillWhole(authorizeOpen(first, 5_000), 9e6);
        fillWhole(authorizeOpen(second, 5_000), 9e6);
        uint256 id = vm.snapshotState();
        bytes32[] memory keys = new bytes32[](2);
        (keys[0], keys[1]) = (first, second);
        vm.prank(keeper, keeper);
        vault.finalizeMany(keys);
        vm.snapshotGasLastCall("transactions", "finalizeMany of two openings");
        vm.revertToState(id);
        uint256 held = usdc.balanceOf(bob);
        vm.prank(bob, bob);
        usdc.transfer(stranger, held);
        finalizeMeasured(first, "finalize open, user without USDC");
    }

    function poolMeasured() private {
        usdc.mint(lp, 200e6);
        vm.startPrank(lp, lp);
        pool.deposit(100e6, lp);
        vm.snapshotGasLastCall("transactions", "pool deposit");
        pool.fundReserve(100e6);
        vm.snapshotGasLastCall("transactions", "pool fundReserve");
        uint256 shares = pool.balanceOf(lp) / 4;
        pool.requestRedeem(shares, 0);
        vm.snapshotGasLastCall("transactions", "pool requestRedeem");
        skip(24 hours);
        pool.redeem(shares, lp, lp);
        vm.snapshotGasLastCall("transactions", "pool redeem");
        pool.payTreasury();
        vm.snapshotGasLastCall("transactions", "pool payTreasury");
        vm.stopPrank();
    }
}
