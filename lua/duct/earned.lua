-- earned: turns that come as often as they bring something.
--   earned.turns(often, seldom, vain)   -> turns: one of `often` choices is a turn at first; after each `vain` turns
--                                  without news they come half as often, down to one of `seldom`; after one with
--                                  news, as often as at first
--   turns:due(news)                is this choice a turn? news: what the session has found so far, a number that grows
--   turns:restart()                the next choice is a turn, unless they came seldom
local earned = {}
earned.__index = earned

function earned.turns(often, seldom, vain)
	return setmetatable({ often = often, seldom = seldom, vain = vain, apart = often, left = 1, fruitless = 0 }, earned)
end

-- Sets how often turns come, by whether the last one found something.
local function judge(self, news)
	self.fruitless = news > self.before and 0 or self.fruitless + 1
	self.before = nil
	if self.fruitless == 0 then
		self.apart = self.often
	elseif self.fruitless % self.vain == 0 then
		self.apart = math.min(2 * self.apart, self.seldom)
	end
end

function earned:due(news)
	if self.before then
		judge(self, news)
	end
	self.left = self.left - 1
	if self.left > 0 then
		return false
	end
	self.left, self.before = self.apart, news
	return true
end

function earned:restart()
	if self.apart == self.often then
		self.left = 1
	end
end

return earned
