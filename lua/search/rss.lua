-- rss: random state search: any pending branch, with equal probability.
return function(session)
	return session:search("random")
end
