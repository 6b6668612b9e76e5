// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OpeningSplit} from "../../src/libraries/OpeningSplit.sol";
import {MAX_NOTIONAL_USDC_UNITS} from "../../src/VaultConstants.sol";

/// @title OpeningSplitProof
/// @notice I6: of every opening, what pool, treasury side and user receive is exactly the cash that is there, and the
/// loan is what goes on and what the pool gets back, to the unit.
/// @dev OpeningSplit.split divides by its own loan and trade: two statements say what these are within, and the third
/// that every loan and trade within that divides so. At once they are more than the solver takes.
contract OpeningSplitProof {
    function conserves(OpeningSplit.Opening memory o, uint256 principal, uint256 trade) external pure {
        begin(o);
        require(principal >= unpaid(o, OpeningSplit.spent(o)));
        require(principal <= o.lentUsdcUnits && trade <= o.notionalUsdcUnits);
        OpeningSplit.Split memory s = OpeningSplit.divide(o, principal, trade);
        assert(s.poolUsdcUnits + s.originationFeeUsdcUnits + s.userUsdcUnits == o.cashUsdcUnits);
        assert(s.principalUsdcUnits <= o.lentUsdcUnits);
        assert(s.poolUsdcUnits == o.lentUsdcUnits - s.principalUsdcUnits);
    }

    function theLoanIsAllThatOwnMoneyCouldNotPayAndNoMoreThanWasLent(
        OpeningSplit.Opening memory o,
        uint256 filled,
        uint256 spent
    ) external pure {
        begin(o);
        require(spent <= type(uint128).max && filled <= o.notionalUsdcUnits && filled <= spent);
        uint256 principal = OpeningSplit.principal(o, filled, spent);
        assert(principal <= o.lentUsdcUnits && principal >= unpaid(o, spent));
    }

    function theTradeIsWithinNotionalAndSpent(
        OpeningSplit.Opening memory o,
        uint256 filled,
        uint256 spent
    ) external pure {
        begin(o);
        require(spent <= type(uint128).max && filled <= o.notionalUsdcUnits && filled <= spent);
        uint256 trade = OpeningSplit.trade(o, filled, spent);
        assert(trade >= filled && trade <= o.notionalUsdcUnits && trade <= spent);
    }

    /// @dev Spent amount beyond the user's own money, as far as it was lent.
    function unpaid(OpeningSplit.Opening memory o, uint256 spent) private pure returns (uint256) {
        uint256 own = o.collateralUsdcUnits + o.venueFeeUsdcUnits;
        uint256 rest = spent > own ? spent - own : 0;
        return rest < o.lentUsdcUnits ? rest : o.lentUsdcUnits;
    }

    function begin(OpeningSplit.Opening memory o) private pure {
        require(o.cashUsdcUnits <= type(uint128).max && o.filledUsdcUnits <= type(uint128).max);
        require(o.notionalUsdcUnits > 0 && o.notionalUsdcUnits <= MAX_NOTIONAL_USDC_UNITS);
        require(o.collateralUsdcUnits <= o.notionalUsdcUnits);
        require(o.venueFeeUsdcUnits <= o.notionalUsdcUnits && o.originationFeeUsdcUnits <= o.notionalUsdcUnits);
        require(o.lentUsdcUnits == o.notionalUsdcUnits - o.collateralUsdcUnits);
    }
}
