// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OpeningSplit} from "../../src/libraries/OpeningSplit.sol";
import {MAX_NOTIONAL_USDC_UNITS} from "../../src/VaultConstants.sol";

/// @title OpeningSplitProof
/// @notice I6: of every opening, what pool, treasury side and user receive is exactly the cash that is there, and the
/// loan is what goes on and what the pool gets back, to the unit.
contract OpeningSplitProof {
    function conserves(OpeningSplit.Opening memory o) external pure {
        require(o.cashUsdcUnits <= type(uint128).max && o.filledUsdcUnits <= type(uint128).max);
        require(o.notionalUsdcUnits > 0 && o.notionalUsdcUnits <= MAX_NOTIONAL_USDC_UNITS);
        require(o.collateralUsdcUnits <= o.notionalUsdcUnits);
        require(o.venueFeeUsdcUnits <= o.notionalUsdcUnits && o.originationFeeUsdcUnits <= o.notionalUsdcUnits);
        require(o.lentUsdcUnits == o.notionalUsdcUnits - o.collateralUsdcUnits);
        OpeningSplit.Split memory s = OpeningSplit.split(o);
        assert(s.poolUsdcUnits + s.originationFeeUsdcUnits + s.userUsdcUnits == o.cashUsdcUnits);
        assert(s.principalUsdcUnits <= o.lentUsdcUnits);
        assert(s.poolUsdcUnits == o.lentUsdcUnits - s.principalUsdcUnits);
        assert(s.tradeUsdcUnits <= o.notionalUsdcUnits && s.tradeUsdcUnits <= s.spentUsdcUnits);
    }
}
