-- Hands the role and the text of the function to the statement that installs them, for the rest of the
-- transaction: such a statement takes no arguments.
SELECT
    set_config('koinon.scaler_role', $1, TRUE),
    set_config('koinon.scaler_text', $2, TRUE)
