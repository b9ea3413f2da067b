-- Names and values that whoever queued a job noted on it, json: {name: value, …}.
alter table jobs add column labels text not null default '{}';
