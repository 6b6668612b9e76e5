// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A user that calls back whenever outcome tokens reach it, and keeps what each call answered.
contract ReenteringUser {
    struct Answer {
        bool done;
        bytes data;
    }

    address[] private _targets;
    bytes[] private _calls;
    Answer[] private _answers;

    /// @notice How often outcome tokens have reached this user.
    uint256 public receipts;

    /// @notice Sets the calls of the next receipt.
    function arm(address[] calldata targets, bytes[] calldata calls) external {
        delete _answers;
        _targets = targets;
        _calls = calls;
    }

    /// @notice Makes a call in this user's name, hostile receiver and all.
    function call(address target, bytes calldata data) external returns (bytes memory) {
        (bool done, bytes memory answer) = target.call(data);
        if (done) return answer;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4) {
        ++receipts;
        // Only once: what is called back hands out tokens too, and would begin anew.
        if (_answers.length == 0) {
            for (uint256 i = 0; i < _calls.length; ++i) {
                (bool done, bytes memory data) = _targets[i].call(_calls[i]);
                _answers.push(Answer(done, data));
            }
        }
        return this.onERC1155Received.selector;
    }

    function answers() external view returns (Answer[] memory) {
        return _answers;
    }
}

/// @notice A user that refuses every call, of receivers and all others.
contract RevertingUser {
    error Refused();

    fallback() external payable {
        revert Refused();
    }
}

/// @notice A user that burns all the gas it is given, whatever is called.
contract GasBurningUser {
    fallback() external payable {
        assembly ("memory-safe") {
            invalid()
        }
    }
}
