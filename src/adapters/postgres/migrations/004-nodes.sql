-- No log for what may be forgotten, and no disk to wait for.
ALTER TABLE minute_windows SET UNLOGGED;
