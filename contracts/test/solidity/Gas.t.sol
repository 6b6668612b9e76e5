// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice Gas of whole transactions, each in isolation, with the first position of an outcome and realistic words.
/// hardhat-config: isolate = true
contract GasTest is VaultFixture {
    function named(IVault.CreateRequest memory r) private pure returns (IVault.CreateRequest memory) {
        r.positionSeed = 0x0198f3a27c5b7d1e9a4c6b2d8e1f3a5c;
        r.minPositionTokenUnits = 540e6;
        r.maxLiquidationPricePips = 4_100;
        return r;
    }

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

    function authorizeMeasured(
        bytes32 key,
        IVenueExchange.Order memory o,
        IVault.PriceAttestation memory a,
        string memory name
    ) private {
        bytes memory signature = signAttestation(a);
        uint64 validUntil = uint64(block.timestamp + 60);
        vm.prank(keeper, keeper);
        vault.authorizeOrder(key, IVault.Purpose(a.purpose), o, validUntil, a, signature);
        vm.snapshotGasLastCall("transactions", name);
    }

    function fillMeasured(IVenueExchange.Order memory o, uint256 fee, string memory name) private {
        fillWhole(o, fee);
        vm.snapshotGasLastCall("transactions", name);
    }

    function finalizeMeasured(bytes32 key, string memory name) private {
        vm.prank(keeper, keeper);
        vault.finalize(key);
        vm.snapshotGasLastCall("transactions", name);
    }
}
