-- The technique that each puzzle of a job must need, by its usual name; null leaves it open.

alter table jobs add column technique text;
