// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TwinBinaryModule} from "./TwinBinaryModule.sol";

/// @title TwinOracleAggregator
/// @notice The venue's OracleAggregator for local use: requests, and results that anyone may give at once, where the
/// real one has reporters, disputes and an arbitrator.
contract TwinOracleAggregator {
    /// @dev A request as the real one stores it.
    struct RequestConfig {
        address targetContract;
        uint8 marketType;
        uint16 resultLength;
        uint32 livenessWindow;
        uint16 reporterThreshold;
        uint16 disputerThreshold;
        address arbitratorModule;
        address finalizer;
    }

    error InvalidResultSum();
    error RequestAlreadyExists();
    error RequestNotFound();

    event RequestInitialized(bytes29 indexed eventId, address indexed targetContract);
    event RequestResolved(bytes32 indexed requestId, uint256 yesShare);

    uint256 private constant WHOLE = 1_000_000;

    /// @notice Contract whose modules it decides.
    address public immutable POSITION_MANAGER;

    /// @notice Request for the result of an event.
    mapping(bytes29 eventId => RequestConfig config) public requestConfigs;

    constructor(address positionManager) {
        POSITION_MANAGER = positionManager;
    }

    /// @notice Makes a request whose result goes to a module.
    function initializeRequest(bytes29 eventId, address targetContract) external {
        if (requestConfigs[eventId].targetContract != address(0)) revert RequestAlreadyExists();
        requestConfigs[eventId] = RequestConfig(targetContract, 0, 1, 0, 1, 1, msg.sender, address(0));
        emit RequestInitialized(eventId, targetContract);
    }

    /// @notice Decides a binary condition: the first outcome's share in millionths, the rest to the second.
    function resolveResult(bytes32 requestId, uint256 yesShare) external {
        address target = requestConfigs[bytes29(requestId)].targetContract;
        if (target == address(0)) revert RequestNotFound();
        if (yesShare > WHOLE) revert InvalidResultSum();
        uint256[] memory result = new uint256[](2);
        (result[0], result[1]) = (yesShare, WHOLE - yesShare);
        TwinBinaryModule(target).reportResult(bytes31(requestId), result);
        emit RequestResolved(requestId, yesShare);
    }
}
