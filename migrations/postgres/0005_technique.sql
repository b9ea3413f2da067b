-- The technique that each puzzle of a job must need, by its usual name; null leaves it open. The number is that of the same
-- migration on SQLite.

alter table jobs add column technique text;
