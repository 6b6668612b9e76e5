// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Waterfall} from "../../src/libraries/Waterfall.sol";

/// @title WaterfallProof
/// @notice I7: a distribution conserves the cash, no party receives more than is due to it, and each is paid only when
/// those before it are whole.
contract WaterfallProof {
    function conserves(Waterfall.Due memory due) external pure {
        require(due.cashUsdcUnits <= type(uint128).max && due.principalUsdcUnits <= type(uint128).max);
        require(due.lifetimeFeeUsdcUnits <= type(uint128).max && due.liquidationFeeBps <= 10_000);
        Waterfall.Distribution memory d = Waterfall.distribute(due);
        assert(
            d.principalUsdcUnits + d.lifetimeFeeUsdcUnits + d.liquidationFeeUsdcUnits + d.userUsdcUnits ==
                due.cashUsdcUnits
        );
        assert(d.principalUsdcUnits <= due.principalUsdcUnits);
        assert(d.lifetimeFeeUsdcUnits <= due.lifetimeFeeUsdcUnits);
        assert(d.lifetimeFeeUsdcUnits == 0 || d.principalUsdcUnits == due.principalUsdcUnits);
        assert(d.liquidationFeeUsdcUnits == 0 || d.lifetimeFeeUsdcUnits == due.lifetimeFeeUsdcUnits);
        assert(
            d.userUsdcUnits == 0 ||
                (d.principalUsdcUnits == due.principalUsdcUnits &&
                    d.lifetimeFeeUsdcUnits == due.lifetimeFeeUsdcUnits)
        );
    }
}
