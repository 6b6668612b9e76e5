// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BPS} from "../VaultConstants.sol";
import {UnitMath} from "./UnitMath.sol";

/// @title Waterfall
/// @notice Divides proceeds in the one order there is: principal, lifetime fees, liquidation fee, user.
library Waterfall {
    using UnitMath for uint256;

    /// @notice Amounts due from these proceeds; the liquidation fee is taken on the principal repaid.
    struct Due {
        uint256 cashUsdcUnits;
        uint256 principalUsdcUnits;
        uint256 lifetimeFeeUsdcUnits;
        uint256 liquidationFeeBps;
    }

    /// @notice The distribution; its four figures add up to the cash.
    struct Distribution {
        uint256 principalUsdcUnits;
        uint256 lifetimeFeeUsdcUnits;
        uint256 liquidationFeeUsdcUnits;
        uint256 userUsdcUnits;
    }

    /// @dev The user receives something only when all that is due is paid.
    function distribute(Due memory due) internal pure returns (Distribution memory d) {
        uint256 rest = due.cashUsdcUnits;
        d.principalUsdcUnits = due.principalUsdcUnits.min(rest);
        rest -= d.principalUsdcUnits;
        d.lifetimeFeeUsdcUnits = due.lifetimeFeeUsdcUnits.min(rest);
        rest -= d.lifetimeFeeUsdcUnits;
        d.liquidationFeeUsdcUnits = UnitMath
            .multiplyDivideUp(d.principalUsdcUnits, due.liquidationFeeBps, BPS)
            .min(rest);
        d.userUsdcUnits = rest - d.liquidationFeeUsdcUnits;
    }
}
