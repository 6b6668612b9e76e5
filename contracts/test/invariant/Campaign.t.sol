// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IncomeRelease} from "../../src/libraries/IncomeRelease.sol";
import {CampaignHandler} from "./CampaignHandler.sol";

/// @notice Invariants after every sequence of actions.
contract CampaignTest is CampaignHandler {
    using IncomeRelease for IncomeRelease.Income;

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    error NeverHappened(Deed deed);
    error NeverMoved(Move move);

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(this);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(this), weighted());
    }

    /// @dev Weights of the actions: an action is drawn as often as it is listed.
    function weighted() private pure returns (bytes4[] memory selectors) {
        bytes4[47] memory once = [
            this.createPosition.selector,
            this.authorizeOpening.selector,
            this.authorizeSelling.selector,
            this.liquidateHealthy.selector,
            this.replaySeed.selector,
            this.reuseOrder.selector,
            this.openInTwo.selector,
            this.sendToOwner.selector,
            this.finalizePosition.selector,
            this.finalizeMany.selector,
            this.fillOrder.selector,
            this.fillAgainstTheBudget.selector,
            this.preapprove.selector,
            this.fillStaleOrder.selector,
            this.replaceAndFillStale.selector,
            this.replaceAndBuyStale.selector,
            this.ghostFill.selector,
            this.finalizeAmidLies.selector,
            this.pauseAtVenue.selector,
            this.bar.selector,
            this.cancel.selector,
            this.requestClosing.selector,
            this.addMargin.selector,
            this.exit.selector,
            this.resolveAndSettle.selector,
            this.settlePosition.selector,
            this.claimPosition.selector,
            this.giveAndClaim.selector,
            this.impairAndClear.selector,
            this.waitAndRedeem.selector,
            this.waitAndBook.selector,
            this.helpTooLate.selector,
            this.deposit.selector,
            this.redeem.selector,
            this.payTreasury.selector,
            this.govern.selector,
            this.alarm.selector,
            this.give.selector,
            this.wait.selector,
            this.grantOpening.selector,
            this.grantSelling.selector,
            this.fillGrants.selector,
            this.endGrants.selector,
            this.grantMany.selector,
            this.fillMany.selector,
            this.openByGrant.selector,
            this.sellByGrant.selector
        ];
        selectors = new bytes4[](once.length + 27);
        for (uint256 i = 0; i < once.length; ++i) selectors[i] = once[i];
        for (uint256 i = 0; i < 17; ++i) {
            bytes4 often = i < 7 ? this.openWhole.selector : this.sellSome.selector;
            selectors[once.length + i] = i < 15 ? often : this.govern.selector;
        }
        for (uint256 i = 17; i < 23; ++i) {
            selectors[once.length + i] = i < 20 ? this.openByGrant.selector : this.sellByGrant.selector;
        }
        for (uint256 i = 23; i < 27; ++i) selectors[once.length + i] = this.sellByBatch.selector;
    }

    /// @dev One campaign for all of them: every sequence is held to everything.
    function invariant_everything_holds() public view {
        I1_the_pool_holds_what_its_book_says();
        I4_shares_add_up();
        I24_share_price_stays_sane();
        uint256 inAccounts;
        uint256[] memory principals = new uint256[](sides.length);
        for (uint256 i = 0; i < keys.length; ++i) {
            Facts memory f = factsOf(keys[i]);
            principals[deals[keys[i]].side] += f.position.principalUsdcUnits;
            inAccounts += f.cash;
            I14_an_account_holds_the_booked_tokens(f);
            N2_allowances_are_off_unless_an_order_stands(f);
            I15_a_state_fits_its_figures(f);
            V5_impaired_is_the_whole_loan_or_nothing(keys[i], f);
        }
        I3_principals_are_the_loans(principals);
        N1_money_is_where_it_belongs(inAccounts);
    }

    /// @dev The same actions in the same proportions, drawn here until everything has happened and every legal move was
    /// made: what never is is not tested.
    function test_every_deed_and_every_move_happens() public {
        bytes4[] memory actions = weighted();
        uint256[] memory happened = new uint256[](uint256(type(Deed).max) + 1);
        uint256[] memory made = new uint256[](uint256(type(Move).max) + 1);
        for (uint256 run = 0; run < 120; ++run) {
            uint256 start = vm.snapshotState();
            for (uint256 step = 0; step < 60; ++step) {
                bytes32 seed = keccak256(abi.encode(run, step));
                act(actions[uint256(seed) % actions.length], seed);
            }
            for (uint256 i = 0; i < happened.length; ++i) happened[i] += deeds[Deed(i)];
            for (uint256 i = 0; i < made.length; ++i) made[i] += moves[Move(i)];
            vm.revertToState(start);
            if (missing(happened) == happened.length && missing(made) == made.length) return;
        }
        if (missing(made) != made.length) revert NeverMoved(Move(missing(made)));
        revert NeverHappened(Deed(missing(happened)));
    }

    /// @dev The first of these that is still zero, or how many there are.
    function missing(uint256[] memory counts) private pure returns (uint256 i) {
        while (i < counts.length && counts[i] != 0) ++i;
    }

    function act(bytes4 action, bytes32 seed) private {
        bytes32[4] memory words;
        for (uint256 i = 0; i < 4; ++i) words[i] = keccak256(abi.encode(seed, i));
        (bool done, bytes memory reason) = address(this).call(abi.encodePacked(action, words));
        if (done) return;
        assembly ("memory-safe") {
            revert(add(reason, 0x20), mload(reason))
        }
    }

    function I1_the_pool_holds_what_its_book_says() private view {
        (uint256 balance, uint256 booked) = pool.solvency();
        assertEq(balance, booked + poolDonationUsdcUnits, "I1 balance = book + donations");
    }

    function I3_principals_are_the_loans(uint256[] memory principals) private view {
        uint256 total;
        for (uint256 i = 0; i < sides.length; ++i) {
            (uint256 lent, ) = pool.outcomeLoanOf(sides[i].outcomeId);
            assertEq(principals[i], lent, "I3 lent on an outcome");
            total += principals[i];
        }
        ILiquidityPool.Book memory book = pool.bookOf();
        assertEq(total, uint256(book.lentUsdcUnits) + book.impairedUsdcUnits, "I3 lent and impaired");
    }

    function I4_shares_add_up() private view {
        uint256 total = pool.balanceOf(address(pool));
        assertEq(total, pool.requestedShares(), "I4 escrow");
        for (uint256 i = 0; i < providers.length; ++i) total += pool.balanceOf(providers[i]);
        assertEq(total, pool.totalSupply(), "I4 supply");
    }

    function I14_an_account_holds_the_booked_tokens(Facts memory f) private pure {
        if (f.live.purpose == IVault.Purpose.None) assertGe(f.held, f.position.tokenUnits, "I14 tokens");
        if (uint256(f.grant.purpose) < 2) return;
        assertGe(f.held + f.grant.filledUnits, f.position.tokenUnits, "R1 a fill takes what it says");
    }

    /// @dev Every unit of USDC there is lies with a known account, and the vault and the exchange keep none.
    function N1_money_is_where_it_belongs(uint256 inAccounts) private view {
        assertEq(usdc.balanceOf(address(vault)), 0, "N1 USDC");
        assertEq(usdc.balanceOf(address(exchange)), 0, "the exchange keeps nothing");
        for (uint256 i = 0; i < sides.length; ++i) {
            assertEq(ledgerOf(i).balanceOf(address(vault), sides[i].tokenId), 0, "N1 tokens");
        }
        for (uint256 i = 0; i < keys.length; ++i) {
            assertTrue(!manager.isApprovedForAll(deals[keys[i]].account, address(router)), "N2 no redeemer approved");
        }
        uint256 total = inAccounts + usdc.balanceOf(address(pool)) + usdc.balanceOf(address(tokens));
        total += usdc.balanceOf(address(module));
        total += usdc.balanceOf(maker) + usdc.balanceOf(feeReceiver);
        total += usdc.balanceOf(filler) + usdc.balanceOf(address(hostile));
        for (uint256 i = 0; i < people.length; ++i) total += usdc.balanceOf(people[i]);
        assertEq(total, usdc.totalSupply(), "I6 money is conserved");
    }

    function N2_allowances_are_off_unless_an_order_stands(Facts memory f) private pure {
        bool direct = f.live.orderHash != 0;
        assertTrue(f.approved == (direct && uint256(f.live.purpose) > 1), "N2 token approval exactly for a sale");
        uint256 budget = direct && f.live.purpose == IVault.Purpose.Open
            ? uint256(f.live.makerAmount) + f.position.venueFeeUsdcUnits
            : 0;
        assertLe(f.allowance, budget, "N2 USDC allowance within order and fee");
    }

    function V5_impaired_is_the_whole_loan_or_nothing(bytes32 key, Facts memory f) private view {
        uint256 impaired = pool.impairedOf(key);
        if (impaired != 0) assertEq(impaired, f.position.principalUsdcUnits, "V5 impaired: the whole loan");
        assertEq(impaired, impairedOn[key], "I27 impaired loan");
    }

    function I15_a_state_fits_its_figures(Facts memory f) private pure {
        IVault.Position memory p = f.position;
        V10_a_word_means_one_thing(p);
        if (p.state == IVault.PositionState.Open) {
            assertGe(p.tokenUnits, 10_000, "I15 an open position holds tokens");
            assertLe(p.tokenUnits, p.originalTokenUnits, "I15 never more than it opened with");
            assertLe(p.closeTokenUnits, p.tokenUnits, "I15 asked at most what is held");
        }
        if (uint256(p.state) > uint256(IVault.PositionState.Open)) {
            assertEq(p.principalUsdcUnits, 0, "I15 a finished position owes no principal");
            assertEq(p.pendingFeeUsdcUnits, 0, "I15 nor fees");
            assertEq(uint256(f.live.purpose), 0, "I15 and has no order");
        }
    }

    /// @dev V10: what was bought and the reckoning of fees begin with the opening, whatever came before or after it.
    function V10_a_word_means_one_thing(IVault.Position memory p) private pure {
        bool opened = p.originalTokenUnits != 0;
        assertTrue(p.createdAt != 0, "V10 created once");
        if (opened) assertGe(p.since, p.createdAt, "V10 fees are reckoned from the opening on");
        else assertEq(p.since, 0, "V10 no fee is reckoned before it");
        if (p.state == IVault.PositionState.Pending) assertTrue(!opened && p.tokenUnits == 0, "V10 nothing bought yet");
        if (p.state == IVault.PositionState.Open) assertTrue(opened, "V10 bought");
        bool refunded = p.state == IVault.PositionState.Cancelled || p.state == IVault.PositionState.Reverted;
        if (refunded) assertTrue(!opened, "V10 a refund bought nothing");
    }

    /// @dev While the providers own anything their shares are worth something, and never more than all of it. What they
    /// own is known from events; shares of less than a millionth of a dollar may round down to nothing.
    function I24_share_price_stays_sane() private view {
        uint256 unreleased = income.unreleased(block.timestamp);
        uint256 owned = figures.idle + figures.loans - impairedUsdcUnits;
        owned += figures.reserve < impairedUsdcUnits ? figures.reserve : impairedUsdcUnits;
        owned = owned > unreleased ? owned - unreleased : 0;
        uint256 supply = pool.totalSupply();
        uint256 worth = pool.convertToAssets(supply);
        assertLe(worth, owned, "I24 shares are worth what there is at most");
        if (owned != 0 && supply >= 1e6) assertGe(worth, 1, "I24 and something, unless all was lost");
        if (supply == 0) assertEq(figures.idle + unreleased, 0, "I24 without shares nothing idle is the providers'");
    }
}
