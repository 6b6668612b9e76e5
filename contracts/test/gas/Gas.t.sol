// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {PairFiller} from "../../src/periphery/PairFiller.sol";
import {WrappedFixture} from "../fixtures/WrappedFixture.sol";

/// @notice Measures whole transactions, each in isolation, with the first position of an outcome and realistic words.
abstract contract GasMeter is WrappedFixture {
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

    function grantMeasured(
        bytes32 key,
        uint256 mostUnits,
        IVault.GrantAttestation memory a,
        string memory name
    ) internal {
        a.positionKey = key;
        bytes memory signatures = signGrant(a);
        vm.prank(keeper, keeper);
        vault.authorizeGrant(key, IVault.Purpose(a.purpose), mostUnits, a, signatures);
        vm.snapshotGasLastCall("transactions", name);
    }

    function fillGrantMeasured(bytes32 key, string memory name) internal {
        (uint256 given, uint256 taken) = vault.quoteFill(key, type(uint256).max);
        vm.prank(filler, filler);
        vault.fill(key, given, taken, "");
        vm.snapshotGasLastCall("transactions", name);
    }

    /// @dev Of a caller who holds USDC and none of the tokens.
    function pairsMeasured(bytes32 key, string memory name) internal {
        PairFiller pairs = PairFiller(deploy("PairFiller.sol:PairFiller", abi.encode(vault)));
        usdc.mint(bob, 1_000e6);
        vm.prank(bob, bob);
        usdc.approve(address(pairs), type(uint256).max);
        (uint256 given, uint256 taken) = vault.quoteFill(key, type(uint256).max);
        vm.prank(bob, bob);
        pairs.fill(key, given, taken, noId);
        vm.snapshotGasLastCall("transactions", name);
        assertState(key, IVault.PositionState.Open);
    }

    /// @dev Within its path, so that every figure counts.
    function openMeasured(bytes32 key, string memory layout) internal {
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Open, 5_000, 5_100, 300e6);
        grantMeasured(key, 300e6, a, string.concat(layout, "authorizeGrant open"));
        skip(2);
        uint256 id = vm.snapshotState();
        pairsMeasured(key, string.concat(layout, "fill open with pairs"));
        vm.revertToState(id);
        fillGrantMeasured(key, string.concat(layout, "fill open"));
        assertState(key, IVault.PositionState.Open);
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

/// @notice Gas of the same steps by grants, whose last fill finalizes.
/// hardhat-config: isolate = true
contract GrantGasTest is GasMeter {
    function test_gas_of_grants() public {
        bytes32 key = create(named(request()), alice);
        openMeasured(key, "");
        skip(3_600);
        uint256 id = vm.snapshotState();
        vm.prank(alice, alice);
        vault.requestClose(key, 200e6, 5_000);
        saleMeasured(key, IVault.Purpose.Close, 200e6, 5_500, "close part");
        vm.revertToState(id);
        requestClose(key, 600e6, 0);
        saleMeasured(key, IVault.Purpose.Close, vault.positionOf(key).tokenUnits, 5_500, "close");
        vm.revertToState(id);
        saleMeasured(key, IVault.Purpose.Unwind, 200e6, 5_500, "unwind");
        vm.revertToState(id);
        uint32 price = uint32(vault.liquidationPriceOf(key));
        saleMeasured(key, IVault.Purpose.Liquidate, vault.positionOf(key).tokenUnits, price, "liquidate");
        vm.revertToState(id);
        partMeasured(key);
        endMeasured();
    }

    function saleMeasured(
        bytes32 key,
        IVault.Purpose purpose,
        uint256 mostUnits,
        uint32 pricePips,
        string memory name
    ) private {
        IVault.GrantAttestation memory a = grantAttestation(purpose, pricePips, pricePips - 100, mostUnits);
        grantMeasured(key, mostUnits, a, string.concat("authorizeGrant ", name));
        skip(2);
        fillGrantMeasured(key, string.concat("fill ", name));
    }

    function partMeasured(bytes32 key) private {
        grant(key, IVault.Purpose.Unwind, 200e6, 5_500, 5_500);
        vm.prank(filler, filler);
        vault.fill(key, 55e6, 100e6, "");
        vm.snapshotGasLastCall("transactions", "fill that leaves a part");
        vm.prank(keeper, keeper);
        vault.endGrant(key);
        vm.snapshotGasLastCall("transactions", "endGrant with a part sold");
    }

    function endMeasured() private {
        IVault.CreateRequest memory r = named(request());
        r.positionSeed = bytes16(uint128(0x0698f3a27c5b7d1e9a4c6b2d8e1f3a5c));
        bytes32 key = create(r, bob);
        grantOpen(key, 5_000, 5_100);
        uint256 id = vm.snapshotState();
        vm.prank(keeper, keeper);
        vault.endGrant(key);
        vm.snapshotGasLastCall("transactions", "endGrant unfilled");
        vm.revertToState(id);
        finalizeMeasured(key, "finalize unfilled grant");
    }
}

/// @notice Gas of sixteen grants and fills together, and the share of each.
/// hardhat-config: isolate = true
contract BatchGasTest is GasMeter {
    uint256 private constant COUNT = 16;
    bytes32[] private keys;

    function test_gas_of_batches() public {
        for (uint128 i = 0; i < COUNT; ++i) keys.push(openByFill(named(request(), i), alice, 5_000));
        skip(3_600);
        uint256 id = vm.snapshotState();
        uint32 price = uint32(vault.liquidationPriceOf(keys[0]));
        batchMeasured(this.salesNow(IVault.Purpose.Liquidate, price, 0), "liquidations");
        vm.revertToState(id);
        batchMeasured(this.salesNow(IVault.Purpose.Unwind, 5_500, 200e6), "unwinds");
    }

    function named(
        IVault.CreateRequest memory r,
        uint128 number
    ) private pure returns (IVault.CreateRequest memory) {
        r = named(r);
        r.positionSeed = bytes16(uint128(r.positionSeed) + (number << 32));
        return r;
    }

    /// @dev Called as from outside: in one call the compiler may read the time once, before and after a skip.
    function salesNow(
        IVault.Purpose purpose,
        uint32 markPips,
        uint64 mostUnits
    ) external view returns (IVault.GrantBatch memory b) {
        b = batchOf(purpose, markPips, markPips - 100, keys);
        for (uint256 i = 0; i < COUNT; ++i) if (mostUnits != 0) b.members[i].mostUnits = mostUnits;
    }

    function fillsNow() external view returns (IVault.GrantFill[] memory fills) {
        fills = new IVault.GrantFill[](COUNT);
        for (uint256 i = 0; i < COUNT; ++i) {
            (uint256 given, uint256 taken) = vault.quoteFill(keys[i], type(uint256).max);
            fills[i] = IVault.GrantFill(keys[i], given, taken);
        }
    }

    function batchMeasured(IVault.GrantBatch memory b, string memory what) private {
        bytes memory signatures = signBatch(b);
        vm.prank(keeper, keeper);
        uint256 granted = vault.authorizeMany(b, sizesOf(b), signatures);
        noteShare(string.concat("authorizeMany of 16 ", what));
        assertEq(granted, COUNT, "all of them");
        skip(2);
        IVault.GrantFill[] memory fills = this.fillsNow();
        vm.prank(filler, filler);
        uint256 filled = vault.fillMany(fills);
        noteShare(string.concat("fillMany of 16 ", what));
        assertEq(filled, COUNT, "all of them");
    }

    function noteShare(string memory name) private {
        uint256 used = vm.snapshotGasLastCall("transactions", name);
        vm.snapshotValue("transactions", string.concat(name, ", each"), used / COUNT);
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

/// @notice The layout of the deployed venue.
abstract contract WrappedMeter is GasMeter {
    function isWrapped() internal pure override returns (bool) {
        return true;
    }

    /// @dev By a call: the optimizer takes the time of a block for a constant of the test, which skips some.
    function blockTime() external view returns (uint64) {
        return uint64(block.timestamp);
    }

    function partCloseMeasured(bytes32 key, string memory layout) internal {
        requestClose(key, 200e6, 5_000);
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Close, 5_500, 5_400, 200e6);
        (a.observedAt, a.notAfter) = (this.blockTime(), type(uint64).max);
        grantMeasured(key, 200e6, a, string.concat(layout, "authorizeGrant close part"));
        skip(2);
        fillGrantMeasured(key, string.concat(layout, "fill close part"));
        assertSolvent();
    }
}

/// @notice Gas on the layout of the deployed venue.
/// hardhat-config: isolate = true
contract WrappedGasTest is WrappedMeter {
    function test_measures_openings_and_settlements_with_a_wrapped_collateral() public {
        bytes32 key = create(named(request()), alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        o.salt = uint256(keccak256("salt"));
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        authorizeMeasured(key, o, a, "wrapped: authorizeOrder open");
        fillWhole(o, 9e6);
        finalizeMeasured(key, "wrapped: finalize open");
        skip(3_600);
        uint256 id = vm.snapshotState();
        resolve(1, 0);
        vm.prank(stranger, stranger);
        vault.settle(key);
        vm.snapshotGasLastCall("transactions", "wrapped: settle won");
        assertState(key, IVault.PositionState.Settled);
        assertEq(usdc.balanceOf(vault.accountOf(key)), 0, "paid in the wrapped dollar");
        assertEq(tokensOf(key), 0, "all tokens redeemed");
        assertSolvent();
        vm.revertToState(id);
        resolve(0, 1);
        vm.prank(stranger, stranger);
        vault.settle(key);
        vm.snapshotGasLastCall("transactions", "wrapped: settle lost");
        assertState(key, IVault.PositionState.Settled);
    }

    function test_measures_grants_with_a_wrapped_collateral() public {
        bytes32 key = create(named(request()), alice);
        openMeasured(key, "wrapped: ");
        skip(3_600);
        partCloseMeasured(key, "wrapped: ");
    }
}

/// @notice Gas on the second ledger, whose contracts stand behind proxies, with a wrapped collateral.
/// hardhat-config: isolate = true
contract ManagedGasTest is WrappedMeter {
    function isManaged() internal pure override returns (bool) {
        return true;
    }

    function test_measures_the_second_ledger() public {
        vm.prank(stranger, stranger);
        vault.registerManagedOutcome(nativeId, 1);
        vm.snapshotGasLastCall("transactions", "managed: registerManagedOutcome");
        bytes32 key = create(named(request()), alice);
        openMeasured(key, "managed: ");
        skip(3_600);
        uint256 id = vm.snapshotState();
        partCloseMeasured(key, "managed: ");
        vm.revertToState(id);
        resolve(1, 0);
        settleMeasured(key, "managed: settle won");
        assertEq(tokensOf(key), 0, "redeemed");
        vm.revertToState(id);
        resolve(0, 1);
        settleMeasured(key, "managed: settle lost");
    }

    function settleMeasured(bytes32 key, string memory name) private {
        vm.prank(stranger, stranger);
        vault.settle(key);
        vm.snapshotGasLastCall("transactions", name);
        assertState(key, IVault.PositionState.Settled);
        assertSolvent();
    }
}
