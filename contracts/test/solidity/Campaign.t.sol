// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {CampaignHandler} from "./CampaignHandler.sol";

/// @notice What holds after every sequence of actions.
contract CampaignTest is CampaignHandler {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(this);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[31] memory all = [
            this.createPosition.selector,
            this.openWhole.selector,
            this.openWhole.selector,
            this.openWhole.selector,
            this.openWhole.selector,
            this.sellSome.selector,
            this.sellSome.selector,
            this.sellSome.selector,
            this.sellSome.selector,
            this.sellSome.selector,
            this.sellSome.selector,
            this.authorizeOpening.selector,
            this.authorizeSelling.selector,
            this.fillOrder.selector,
            this.fillStaleOrder.selector,
            this.finalizePosition.selector,
            this.cancel.selector,
            this.requestClosing.selector,
            this.addMargin.selector,
            this.exit.selector,
            this.resolveMarket.selector,
            this.settlePosition.selector,
            this.claimPosition.selector,
            this.writeOff.selector,
            this.deposit.selector,
            this.requestRedeem.selector,
            this.redeem.selector,
            this.cancelRedeem.selector,
            this.payTreasury.selector,
            this.give.selector,
            this.wait.selector
        ];
        targets = new FuzzSelector[](1);
        targets[0].addr = address(this);
        targets[0].selectors = new bytes4[](all.length);
        for (uint256 i = 0; i < all.length; ++i) targets[0].selectors[i] = all[i];
    }

    /// @dev One campaign for all of them: every sequence is held to everything.
    function invariant_everything_holds() public view {
        I1_the_pool_holds_what_its_book_says();
        I3_principals_are_the_loans();
        I4_shares_add_up();
        I14_accounts_hold_the_booked_tokens();
        N1_the_vault_holds_no_money();
        N2_allowances_are_off_unless_an_order_stands();
        I15_states_fit_their_figures();
        I24_share_price_stays_sane();
    }

    function I1_the_pool_holds_what_its_book_says() private view {
        (uint256 balance, uint256 booked) = pool.solvency();
        assertEq(balance, booked + poolGiftUsdcUnits, "balance = book + gifts");
    }

    function I3_principals_are_the_loans() private view {
        uint256 total;
        for (uint256 i = 0; i < keys.length; ++i) total += vault.positionOf(keys[i]).principalUsdcUnits;
        assertEq(total, pool.bookOf().lentUsdcUnits, "lent");
        (uint256 lent, ) = pool.outcomeLoanOf(1);
        assertEq(total, lent, "lent on the outcome");
    }

    function I4_shares_add_up() private view {
        uint256 total = pool.balanceOf(address(pool));
        assertEq(total, pool.requestedShares(), "escrow");
        for (uint256 i = 0; i < 2; ++i) total += pool.balanceOf(providers[i]);
        assertEq(total, pool.totalSupply(), "supply");
    }

    function I14_accounts_hold_the_booked_tokens() private view {
        for (uint256 i = 0; i < keys.length; ++i) {
            bytes32 key = keys[i];
            if (vault.liveOrderOf(key).orderHash != 0) continue;
            uint256 held = tokens.balanceOf(vault.accountOf(key), yesId);
            assertGe(held, vault.positionOf(key).tokenUnits, "tokens");
        }
    }

    function N1_the_vault_holds_no_money() private view {
        assertEq(usdc.balanceOf(address(vault)), 0, "USDC");
        assertEq(tokens.balanceOf(address(vault), yesId), 0, "tokens");
    }

    function N2_allowances_are_off_unless_an_order_stands() private view {
        for (uint256 i = 0; i < keys.length; ++i) {
            bytes32 key = keys[i];
            address account = vault.accountOf(key);
            IVault.LiveOrder memory live = vault.liveOrderOf(key);
            uint256 allowance = usdc.allowance(account, address(exchange));
            bool approved = tokens.isApprovedForAll(account, address(exchange));
            assertTrue(approved == (uint256(live.purpose) > 1), "token approval exactly for a sale");
            uint256 budget = live.purpose == IVault.Purpose.Open
                ? uint256(live.makerAmount) + vault.positionOf(key).venueFeeUsdcUnits
                : 0;
            assertLe(allowance, budget, "USDC allowance within order and fee");
        }
    }

    function I15_states_fit_their_figures() private view {
        for (uint256 i = 0; i < keys.length; ++i) {
            IVault.Position memory p = vault.positionOf(keys[i]);
            if (p.state == IVault.PositionState.Open) {
                assertGe(p.tokenUnits, 10_000, "an open position holds tokens");
                assertLe(p.tokenUnits, p.originalTokenUnits, "never more than it opened with");
                assertLe(p.closeTokenUnits, p.tokenUnits, "asked at most what is held");
            }
            if (uint256(p.state) > uint256(IVault.PositionState.Open)) {
                assertEq(p.principalUsdcUnits, 0, "a finished position owes no principal");
                assertEq(vault.liveOrderOf(keys[i]).orderHash, 0, "and has no order");
            }
        }
    }

    function I24_share_price_stays_sane() private view {
        uint256 price = pool.convertToAssets(1e12);
        assertLe(price, 10e6, "one share is not ten dollars");
    }
}
