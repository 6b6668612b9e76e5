// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {Caller} from "../../fixtures/HostileUsers.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";
import {Vm} from "../../fixtures/Vm.sol";

/// @notice A provider and position owner in one that touches the pool whenever outcome tokens reach it.
contract PoolCaller is Caller {
    ILiquidityPool private immutable POOL;
    uint256 public balanceSeen;
    uint256 public bookedSeen;

    constructor(address vault, address pool, address usdc) {
        POOL = ILiquidityPool(pool);
        (bool done, ) = usdc.call(abi.encodeWithSignature("approve(address,uint256)", vault, type(uint256).max));
        require(done);
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4) {
        (balanceSeen, bookedSeen) = POOL.solvency();
        POOL.payTreasury();
        return this.onERC1155Received.selector;
    }
}

/// @notice The way out that needs no keeper, price or venue.
contract ExitByRepayingTest is VaultFixture {
    function test_exit_by_repaying() public {
        bytes32 key = open();
        skip(10 days);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, bob);
        assertState(key, IVault.PositionState.Closed);
        assertEq(before - usdc.balanceOf(alice), principal + fees, "debt paid");
        assertEq(tokens.balanceOf(bob, yesId), 600e6, "tokens handed out");
        assertSolvent();
    }

    function test_exit_books_an_expired_sale_first() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 600e6, 6_000), 0);
        skip(61);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertState(key, IVault.PositionState.Closed);
        assertGe(usdc.balanceOf(alice), before + 159e6, "the sale ended it: the owner is paid, nothing is taken");
        assertSolvent();
    }

    function test_exit_after_an_expired_part_sale_takes_the_rest() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 300e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 300e6, 6_000), 0);
        skip(61);
        usdc.mint(vault.accountOf(key), 5e6);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, bob);
        assertState(key, IVault.PositionState.Closed);
        assertEq(tokens.balanceOf(bob, yesId), 300e6, "the rest of the tokens");
        assertEq(cashOf(key), 0, "nothing left");
        assertSolvent();
    }

    function test_exit_to_a_receiver_that_refuses_changes_nothing() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        // USDC has no such function: ConditionalTokens passes on its refusal, which has no words.
        vm.expectRevert(bytes(""));
        vault.exitByRepaying(key, address(usdc));
        assertState(key, IVault.PositionState.Open);
    }

    function test_nothing_is_asked_for_after_an_exit() public {
        bytes32 key = open();
        fundUser(alice, 300e6);
        vm.startPrank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        vault.exitByRepaying(key, alice);
        vm.stopPrank();
        assertState(key, IVault.PositionState.Closed);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "the request ended with the position");
    }

    function test_exit_into_another_account_or_the_vault_is_refused() public {
        bytes32 key = open();
        bytes32 other = open(seeded(2), bob, 5_000);
        address account = vault.accountOf(other);
        vm.startPrank(alice, alice);
        vm.expectRevert();
        vault.exitByRepaying(key, account);
        vm.expectRevert();
        vault.exitByRepaying(key, address(vault));
        vm.stopPrank();
        assertState(key, IVault.PositionState.Open);
    }

    function test_pool_is_booked_before_a_receiver_runs() public {
        PoolCaller user = new PoolCaller(address(vault), address(pool), address(usdc));
        usdc.mint(address(user), 10_000e6);
        IVault.CreateRequest memory r = request();
        user.call(address(vault), abi.encodeCall(IVault.createPosition, (r, signQuote(r, address(user)))));
        bytes32 key = vault.positionKeyOf(address(user), r.positionSeed);
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        finalize(key);
        user.call(address(vault), abi.encodeCall(IVault.exitByRepaying, (key, address(user))));
        assertEq(user.balanceSeen(), user.bookedSeen(), "book and balance agree inside the callback");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "repaid");
        assertSolvent();
    }

    function test_exit_emits_a_distribution_that_adds_up() public {
        bytes32 key = open();
        usdc.mint(vault.accountOf(key), 7e6);
        vm.recordLogs();
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != IVault.PositionExited.selector) continue;
            (, , IVault.Distribution memory d) = abi.decode(logs[i].data, (address, uint256, IVault.Distribution));
            assertEq(d.proceedsUsdcUnits, 207e6, "paid in, and found in the account");
            assertEq(d.principalUsdcUnits + d.userUsdcUnits, 207e6, "all of it divided");
        }
    }

    function test_limit_numerators_that_overflow_leave_the_exit_alone() public {
        bytes32 key = open();
        resolve(type(uint256).max / 2, 1);
        vm.prank(bob, bob);
        (bool settled, ) = address(vault).call(abi.encodeCall(vault.settle, (key)));
        assertTrue(!settled, "ConditionalTokens itself cannot pay");
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_a_keeper_renewing_unwinds_cannot_keep_an_owner_in() public {
        bytes32 key = open(requestOf(seedOf(1), 1_000e6, 30_000), alice, 5_000);
        renewUnwind(key, START, bytes4(0));
        vm.warp(START + 60);
        vm.prank(alice, alice);
        vm.expectRevert(abi.encodeWithSelector(IVault.OrderLive.selector, START + 60));
        vault.exitByRepaying(key, alice);
        renewUnwind(key, START + 60, bytes4(0));
        vm.prank(alice, alice);
        vault.addMargin(key, type(uint256).max);
        renewUnwind(key, START + 60, IVault.NotTriggered.selector);
        vm.warp(START + 121);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertState(key, IVault.PositionState.Closed);
    }

    function renewUnwind(bytes32 key, uint256 time, bytes4 refusal) private {
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        a.observedAt = uint64(time);
        IVenueExchange.Order memory o = orderOf(key, 1, 10e6, 5e6);
        bytes memory signature = signAttestation(a);
        vm.prank(keeper, keeper);
        if (refusal != bytes4(0)) vm.expectRevert(refusal);
        vault.authorizeOrder(key, IVault.Purpose.Unwind, o, uint64(time + 60), a, signature);
    }

    function test_a_last_unit_of_debt_is_paid() public {
        bytes32 key = open();
        vm.startPrank(alice, alice);
        vault.addMargin(key, 200e6 - 1);
        uint256 before = usdc.balanceOf(alice);
        vault.exitByRepaying(key, alice);
        vm.stopPrank();
        assertEq(before - usdc.balanceOf(alice), 1, "paid");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "repaid");
    }

    function test_what_waits_in_the_account_goes_to_the_owner() public {
        bytes32 key = open();
        usdc.mint(vault.accountOf(key), 7e6);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, bob);
        assertEq(before - usdc.balanceOf(alice), 193e6, "200 USD of debt less what was there");
        assertEq(cashOf(key), 0, "nothing left");
        (uint256 balance, uint256 booked) = pool.solvency();
        assertEq(balance, booked, "none of it is the pool's");
    }
}
