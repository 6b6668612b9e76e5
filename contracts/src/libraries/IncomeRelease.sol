// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {INCOME_RELEASE} from "../VaultConstants.sol";

/// @title IncomeRelease
/// @notice Income of the providers on its way into the share price: evenly from since to until, in Unix seconds.
library IncomeRelease {
    /// @notice Income that was not released yet at since, in USDC units.
    struct Income {
        uint256 usdcUnits;
        uint256 since;
        uint256 until;
    }

    /// @dev Return the income that belongs to no share yet, rounded up.
    function unreleased(Income memory income, uint256 time) internal pure returns (uint256) {
        if (time >= income.until) return 0;
        uint256 span = income.until - income.since;
        return (income.usdcUnits * (income.until - time) + span - 1) / span;
    }

    /// @dev Joins new income, more than 0, with what is left of the old. Both are released over the mean of
    /// INCOME_RELEASE and of the time the old one has left, weighted by their amounts, to the nearest second: a unit of
    /// new income neither holds a large one back nor hurries it.
    function add(Income memory income, uint256 usdcUnits, uint256 time) internal pure returns (Income memory joined) {
        uint256 left = unreleased(income, time);
        uint256 weighted = usdcUnits * INCOME_RELEASE;
        if (left != 0) weighted += left * (income.until - time);
        joined.usdcUnits = left + usdcUnits;
        joined.since = time;
        joined.until = time + (weighted + joined.usdcUnits / 2) / joined.usdcUnits;
    }
}
