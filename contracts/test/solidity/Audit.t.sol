// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IPositionAccount} from "../../src/interfaces/IPositionAccount.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {LastingOwner} from "../../src/LastingOwner.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice A provider and position owner in one that touches the pool whenever outcome tokens reach it.
contract PoolCaller {
    address private immutable VAULT;
    ILiquidityPool private immutable POOL;
    uint256 public balanceSeen;
    uint256 public bookedSeen;

    constructor(address vault, address pool, address usdc) {
        VAULT = vault;
        POOL = ILiquidityPool(pool);
        (bool done, ) = usdc.call(abi.encodeWithSignature("approve(address,uint256)", vault, type(uint256).max));
        require(done);
    }

    function run(bytes calldata data) external {
        (bool done, bytes memory answer) = VAULT.call(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4) {
        (balanceSeen, bookedSeen) = POOL.solvency();
        POOL.payTreasury();
        return this.onERC1155Received.selector;
    }
}

/// @notice What an attacker would try who has read the code: each suspicion of the self-audit with its answer. Two of
/// them are limits that stay; their tests state how far they reach.
contract AuditTest is VaultFixture {
    function request10() private view returns (IVault.CreateRequest memory) {
        return requestOf(bytes16(uint128(1) << 120), 100e6, 100_000);
    }

    /// @dev Limit: an operator who fills a part and takes a fee above the attested share moves the position nearer to
    /// its liquidation than the check at authorisation saw. The loan never grows, and no unit beyond the order is taken.
    function test_audit_limit_fee_overrun_on_a_part_fill_reaches_birth_health_but_not_the_loan() public {
        bytes32 key = create(request10(), alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        uint256 cash = cashOf(key);
        fill(o, 960e6, 1_920e6, 80e6);
        assertEq(cash - cashOf(key), o.makerAmount + 40e6, "N3 exactly order and budgeted fee");
        finalize(key);
        assertEq(principalOf(key), 900e6, "the loan is what the check assumed at most");
        assertEq(vault.liquidationPriceOf(key), 5_109, "above the mark of 5,000, checked were 4,905");
        assertSolvent();
    }

    function test_audit_part_fill_at_the_budgeted_fee_is_born_as_healthy_as_the_whole() public {
        bytes32 key = create(request10(), alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        fill(o, 960e6, 1_920e6, (960e6 * 400) / 10_000);
        finalize(key);
        assertLe(vault.liquidationPriceOf(key), 4_905, "N4");
    }

    /// @dev Limit: an unwind between request and sale can leave a remainder no order may leave; the owner asks again.
    function test_audit_limit_close_request_beside_an_unwind_is_served_down_to_five_tokens() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 580e6, 0);
        sell(key, IVault.Purpose.Unwind, 18e6, 5_000);
        assertEq(vault.positionOf(key).closeTokenUnits, 580e6, "still asked");
        IVenueExchange.Order memory o = orderOf(key, 1, 580e6, 290e6);
        vm.expectRevert(IVault.RemainderTooSmall.selector);
        authorize(key, o, attestation(IVault.Purpose.Close, 5_000, 5_000));
        sell(key, IVault.Purpose.Close, 577e6, 5_000);
        assertEq(vault.positionOf(key).tokenUnits, 5e6, "the venue's smallest order is left");
        vm.prank(alice, alice);
        vault.requestClose(key, 5e6, 0);
        sell(key, IVault.Purpose.Close, 5e6, 5_000);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_audit_gift_that_makes_a_fill_look_free_costs_the_giver_and_strands_nothing() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        usdc.mint(vault.accountOf(key), 309e6);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(pool.bookOf().lentUsdcUnits, 0, "loan back");
        assertEq(usdc.balanceOf(alice), before, "money back");
        vm.prank(alice, alice);
        vault.claim(key);
        assertEq(tokens.balanceOf(alice, yesId), 600e6, "tokens to their owner");
        assertSolvent();
    }

    function test_audit_gift_during_an_opening_lowers_the_loan_and_never_below_what_is_owed() public {
        bytes32 key = create();
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        usdc.mint(vault.accountOf(key), 50e6);
        finalize(key);
        assertEq(principalOf(key), 259e6 - 86_333_334, "split of what is gone, less than 200 USD");
        (uint256 balance, uint256 booked) = pool.solvency();
        assertEq(balance, booked, "to the unit");
    }

    function test_audit_zero_hash_and_implementation_answer_no() public {
        bytes32 key = open();
        bytes4 no = bytes4(0xffffffff);
        assertTrue(IPositionAccount(vault.accountOf(key)).isValidSignature(bytes32(0), "") == no, "zero hash");
        assertTrue(!vault.isLiveOrder(bytes32(0), bytes32(0)), "unknown key");
        assertTrue(
            IPositionAccount(vault.accountImplementation()).isValidSignature(bytes32(0), "") == no,
            "implementation"
        );
    }

    function test_audit_order_of_another_account_is_refused_by_this_one() public {
        bytes32 mine = create();
        bytes32 other = create(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), bob);
        IVenueExchange.Order memory o = orderOf(other, 0, 300e6, 600e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        vm.expectRevert(IVault.OrderMismatch.selector);
        authorize(mine, o, a);
        authorize(other, o, a);
        bytes32 orderHash = exchange.hashOrder(o);
        authorize(mine, orderOf(mine, 0, 300e6, 600e6), a);
        assertTrue(!vault.isLiveOrder(mine, orderHash), "a hash lives in one account");
    }

    function test_audit_exit_into_another_account_or_the_vault_is_refused() public {
        bytes32 key = open();
        bytes32 other = open(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), bob, 5_000);
        address account = vault.accountOf(other);
        vm.startPrank(alice, alice);
        vm.expectRevert();
        vault.exitByRepaying(key, account);
        vm.expectRevert();
        vault.exitByRepaying(key, address(vault));
        vm.stopPrank();
        assertState(key, IVault.PositionState.Open);
    }

    function test_audit_pool_is_booked_before_a_receiver_runs() public {
        PoolCaller user = new PoolCaller(address(vault), address(pool), address(usdc));
        usdc.mint(address(user), 10_000e6);
        IVault.CreateRequest memory r = request();
        user.run(abi.encodeCall(IVault.createPosition, (r, signQuote(r, address(user)))));
        bytes32 key = vault.positionKeyOf(address(user), r.positionSeed);
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        finalize(key);
        user.run(abi.encodeCall(IVault.exitByRepaying, (key, address(user))));
        assertEq(user.balanceSeen(), user.bookedSeen(), "book and balance agree inside the callback");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "repaid");
        assertSolvent();
    }

    function test_audit_finalizeMany_takes_duplicates_and_junk() public {
        bytes32 key = create();
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        bytes32[] memory keys = new bytes32[](4);
        (keys[0], keys[1], keys[2], keys[3]) = (key, bytes32(0), key, keccak256("nobody"));
        vm.prank(keeper, keeper);
        vault.finalizeMany(keys);
        assertState(key, IVault.PositionState.Open);
        vm.prank(stranger, stranger);
        vault.finalizeMany(keys);
        assertEq(vault.positionOf(key).tokenUnits, 600e6, "once");
    }

    function test_audit_standing_allowance_to_the_vault_is_of_no_use_to_others() public {
        assertEq(usdc.allowance(alice, address(vault)), type(uint256).max, "alice trusts the vault");
        IVault.CreateRequest memory r = request();
        bytes memory signature = signQuote(r, alice);
        vm.prank(bob, bob);
        vm.expectRevert(IVault.InvalidQuoteSignature.selector);
        vault.createPosition(r, signature);
        bytes32 key = open();
        vm.startPrank(bob, bob);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.addMargin(key, 1e6);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.exitByRepaying(key, bob);
        vm.stopPrank();
    }

    function test_audit_stranger_cannot_start_the_write_off_clock_again() public {
        bytes32 key = open();
        skip(59 days);
        usdc.mint(vault.accountOf(key), 1);
        vm.prank(stranger, stranger);
        vm.expectRevert(IVault.NothingToFinalize.selector);
        vault.finalize(key);
        skip(1 days);
        vm.prank(owner, owner);
        vault.writeOff(key);
        assertEq(vault.positionOf(key).principalUsdcUnits, 0, "written off");
    }

    function test_audit_margin_in_single_units_never_saves_fees() public {
        bytes32 slow = open();
        bytes32 busy = open(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), bob, 5_000);
        uint256 paid;
        for (uint256 i = 0; i < 20; ++i) {
            skip(1 hours);
            vm.prank(bob, bob);
            paid += vault.addMargin(busy, 1);
        }
        (uint256 slowPrincipal, uint256 slowFees) = vault.debtOf(slow);
        (uint256 busyPrincipal, uint256 busyFees) = vault.debtOf(busy);
        assertEq(busyPrincipal + paid, slowPrincipal, "principal by the units paid");
        assertGe(busyFees, slowFees, "rounding never favours him");
        assertLe(busyFees, slowFees + 20, "by a unit each time");
    }

    function test_audit_lapsed_requests_hold_no_liquidity_against_anyone() public {
        uint256 free = pool.freeLiquidity();
        vm.startPrank(lp, lp);
        pool.requestRedeem(pool.balanceOf(lp));
        vm.stopPrank();
        assertEq(pool.freeLiquidity(), 0, "a provider who leaves is not lent out");
        skip(48 hours + 1);
        uint256 shares = pool.redeemRequestOf(lp).shares;
        vm.prank(stranger, stranger);
        pool.cancelRedeem(lp, shares);
        assertEq(pool.freeLiquidity(), free, "given back by anyone");
    }

    function test_audit_shares_sent_to_the_pool_change_no_price_and_no_request() public {
        uint256 price = pool.convertToAssets(1e12);
        vm.prank(lp, lp);
        pool.transfer(address(pool), 1e9);
        assertEq(pool.convertToAssets(1e12), price, "price");
        assertEq(pool.requestedShares(), 0, "no request");
        vm.expectRevert();
        pool.cancelRedeem(address(pool), 1);
    }

    function test_audit_price_of_a_fork_is_no_price_here() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        bytes memory signature = signAttestation(a);
        vm.chainId(999);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        vault.authorizeOrder(key, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signature);
    }
}

/// @notice I25: every call that asks who calls, on real keys and with arguments that are right for who may. A stranger
/// is refused by that call's own error; who may is not.
contract StrangersTest is VaultFixture {
    /// @notice A call, who may make it, what anybody else is told, and what the rightful caller is: 0 when it is done.
    struct PrivilegedCall {
        address target;
        bytes data;
        address rightful;
        bytes4 refusal;
        bytes4 answer;
    }

    address private constant SUCCESSOR = address(0x0b0b);
    address private constant FRESH = address(0x0b0c);
    bytes4 private constant NOT_OWNER = Ownable.OwnableUnauthorizedAccount.selector;

    PrivilegedCall[] private calls;

    function setUp() public override {
        super.setUp();
        bytes32 opened = open();
        usdc.mint(vault.accountOf(opened), 2);
        skip(59 days);
        vm.startPrank(lp, lp);
        pool.requestRedeem(pool.balanceOf(lp) / 2);
        skip(1 days);
        vm.stopPrank();
        bytes32 pending = create(requestOf(bytes16(uint128(2) << 100), 100e6, 30_000), alice);
        vm.startPrank(owner, owner);
        vault.transferOwnership(SUCCESSOR);
        pool.transferOwnership(SUCCESSOR);
        vm.stopPrank();
        resolve(1, 0);
        listVaultRoles();
        listOwnership(address(vault));
        listOwnership(address(pool));
        listKeeper(pending);
        listPositionOwner(opened, pending);
        listPool(opened);
        listAccount(vault.accountOf(opened));
    }

    function testFuzz_I25_no_stranger_reaches_a_privileged_call(address caller) public {
        for (uint256 i = 0; i < calls.length; ++i) vm.assume(caller != calls[i].rightful);
        for (uint256 i = 0; i < calls.length; ++i) {
            PrivilegedCall memory c = calls[i];
            vm.prank(caller, caller);
            (bool done, bytes memory answer) = c.target.call(c.data);
            assertTrue(!done, string.concat("a stranger is refused, call ", vm.toString(i)));
            assertEq(bytes32(bytes4(answer)), bytes32(c.refusal), string.concat("as one, call ", vm.toString(i)));
        }
    }

    /// @dev Only the caller is wrong above: each of these calls does what it says for who may make it.
    function test_I25_the_rightful_caller_of_each_is_heard() public {
        uint256 start = vm.snapshotState();
        for (uint256 i = 0; i < calls.length; ++i) {
            PrivilegedCall memory c = calls[i];
            vm.prank(c.rightful, c.rightful);
            (bool done, bytes memory answer) = c.target.call(c.data);
            assertTrue(done == (c.answer == 0), string.concat("heard, call ", vm.toString(i)));
            if (!done) assertEq(bytes32(bytes4(answer)), bytes32(c.answer), "by name");
            vm.revertToState(start);
        }
    }

    function list(address target, bytes memory data, address rightful, bytes4 refusal) private {
        calls.push(PrivilegedCall(target, data, rightful, refusal, 0));
    }

    // ------------------------------------------------------------ the calls

    function listVaultRoles() private {
        address target = address(vault);
        list(target, abi.encodeCall(IVault.pauseOpening, ()), guardian, IVault.NotGuardian.selector);
        list(target, abi.encodeCall(IVault.resumeOpening, ()), owner, NOT_OWNER);
        list(target, abi.encodeCall(IVault.setQuoteSigner, (FRESH)), owner, NOT_OWNER);
        list(target, abi.encodeCall(IVault.setQuoteSigner, (address(0))), guardian, NOT_OWNER);
        list(target, abi.encodeCall(IVault.setGuardian, (FRESH)), owner, NOT_OWNER);
        list(target, abi.encodeCall(IVault.setBuilder, (bytes32("new"), true)), owner, NOT_OWNER);
        list(target, abi.encodeCall(IVault.setBuilder, (bytes32("builder"), false)), owner, NOT_OWNER);
        address[3] memory holders = [keeper, vm.addr(PRICE_KEY), oracle];
        for (uint256 i = 0; i < 3; ++i) {
            IVault.Role role = IVault.Role(i + 1);
            assertTrue(vault.hasRole(role, holders[i]), "holds the role that is taken away");
            list(target, abi.encodeCall(IVault.setRole, (role, FRESH, true)), owner, NOT_OWNER);
            list(target, abi.encodeCall(IVault.setRole, (role, holders[i], false)), owner, NOT_OWNER);
        }
    }

    /// @dev The successor was named and has not accepted; ownership is given up by nobody.
    function listOwnership(address target) private {
        list(target, abi.encodeCall(Ownable2Step.transferOwnership, (FRESH)), owner, NOT_OWNER);
        list(target, abi.encodeCall(Ownable2Step.acceptOwnership, ()), SUCCESSOR, NOT_OWNER);
        list(target, abi.encodeCall(Ownable.renounceOwnership, ()), owner, NOT_OWNER);
        calls[calls.length - 1].answer = LastingOwner.OwnerRequired.selector;
    }

    function listKeeper(bytes32 pending) private {
        IVenueExchange.Order memory o = orderOf(pending, 0, 300e6, 600e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        uint64 validUntil = uint64(block.timestamp + 60);
        list(
            address(vault),
            abi.encodeCall(
                IVault.authorizeOrder,
                (pending, IVault.Purpose.Open, o, validUntil, a, signAttestation(a))
            ),
            keeper,
            IVault.NotKeeper.selector
        );
        list(
            address(vault),
            abi.encodeCall(IVault.finalize, (pending)),
            keeper,
            IVault.NotFinalizableYet.selector
        );
    }

    function listPositionOwner(bytes32 opened, bytes32 pending) private {
        address target = address(vault);
        bytes4 refusal = IVault.NotPositionOwner.selector;
        list(target, abi.encodeCall(IVault.cancelPosition, (pending)), alice, refusal);
        list(target, abi.encodeCall(IVault.requestClose, (opened, 600e6, 0)), alice, refusal);
        list(target, abi.encodeCall(IVault.addMargin, (opened, 1e6)), alice, refusal);
        list(target, abi.encodeCall(IVault.exitByRepaying, (opened, alice)), alice, refusal);
        list(target, abi.encodeCall(IVault.writeOff, (opened)), owner, NOT_OWNER);
        IVault.CreateRequest memory r = requestOf(bytes16(uint128(3) << 100), 100e6, 30_000);
        bytes memory data = abi.encodeCall(IVault.createPosition, (r, signQuote(r, alice)));
        list(target, data, alice, IVault.InvalidQuoteSignature.selector);
    }

    function listPool(bytes32 opened) private {
        address target = address(pool);
        bytes4 refusal = ILiquidityPool.OnlyVault.selector;
        address account = vault.accountOf(opened);
        ILiquidityPool.Booking memory b = ILiquidityPool.Booking(1, 0, 0, 0, 0, 0);
        // The vault books what has arrived, so that this unit is here already.
        usdc.mint(target, 1);
        list(target, abi.encodeCall(ILiquidityPool.lend, (opened, yesOutcome, account, 1)), address(vault), refusal);
        list(target, abi.encodeCall(ILiquidityPool.book, (opened, yesOutcome, b)), address(vault), refusal);
        list(target, abi.encodeCall(ILiquidityPool.setTreasury, (FRESH)), owner, NOT_OWNER);
        list(target, abi.encodeCall(ILiquidityPool.setParameters, (pool.parametersOf())), owner, NOT_OWNER);
        list(target, abi.encodeCall(ILiquidityPool.setOutcomeCap, (yesOutcome, true, 0)), owner, NOT_OWNER);
        uint256 shares = pool.redeemRequestOf(lp).shares;
        bytes memory back = abi.encodeCall(ILiquidityPool.cancelRedeem, (lp, shares));
        list(target, back, lp, ILiquidityPool.RequestStillUsable.selector);
        bytes memory out = abi.encodeCall(pool.redeem, (shares, lp, lp));
        list(target, out, lp, IERC20Errors.ERC20InsufficientAllowance.selector);
    }

    function listAccount(address target) private {
        address by = address(vault);
        bytes4 refusal = IPositionAccount.OnlyVault.selector;
        list(target, abi.encodeCall(IPositionAccount.allowUsdc, (1)), by, refusal);
        list(target, abi.encodeCall(IPositionAccount.allowTokens, (true)), by, refusal);
        list(target, abi.encodeCall(IPositionAccount.sendUsdc, (address(pool), 1, alice, 1)), by, refusal);
        list(target, abi.encodeCall(IPositionAccount.sendTokens, (alice, yesId, 1)), by, refusal);
        list(target, abi.encodeCall(IPositionAccount.trySendTokens, (alice, yesId, 1)), by, refusal);
        list(target, abi.encodeCall(IPositionAccount.redeem, (conditionId, 1)), by, refusal);
        by = address(tokens);
        refusal = IPositionAccount.TokensNotFromExchange.selector;
        uint256[] memory one = new uint256[](1);
        bytes memory single = abi.encodeCall(
            IERC1155Receiver.onERC1155Received,
            (address(exchange), maker, yesId, 1, "")
        );
        bytes memory batch = abi.encodeCall(
            IERC1155Receiver.onERC1155BatchReceived,
            (address(exchange), maker, one, one, "")
        );
        list(target, single, by, refusal);
        list(target, batch, by, refusal);
    }
}
